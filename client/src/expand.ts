/** `${workspaceFolder}`, `${userHome}` and a leading `~` filled in. */
export function expand(value: string, folder: string | undefined, home = process.env['HOME'] ?? process.env['USERPROFILE'] ?? ''): string {
  return value
    .replace(/^~(?=$|[\\/])/, () => home)
    .replace(/\$\{userHome\}/g, () => home)
    .replace(/\$\{workspaceFolder\}/g, () => folder ?? '');
}
