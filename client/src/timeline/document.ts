/** The HTML document of the panel: an empty frame, which the page's script fills. */

export interface DocumentParts {
  readonly cspSource: string;
  readonly nonce: string;
  readonly script: string;
  readonly style: string;
  readonly language: string;
  readonly title: string;
}

/** Nothing may be loaded but the two named files; no connection, picture, font or frame is allowed. */
export function contentSecurityPolicy(cspSource: string, nonce: string): string {
  return `default-src 'none'; style-src ${cspSource}; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
}

export function timelineDocument(parts: DocumentParts): string {
  return `<!DOCTYPE html>
<html lang="${escape(parts.language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${escape(contentSecurityPolicy(parts.cspSource, parts.nonce))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escape(parts.style)}">
<title>${escape(parts.title)}</title>
</head>
<body>
<main id="timeline"></main>
<script nonce="${escape(parts.nonce)}" src="${escape(parts.script)}"></script>
</body>
</html>`;
}

/** For text and quoted attributes of HTML. */
export function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
