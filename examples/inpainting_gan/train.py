"""Trains the inpainting GAN on random images.

Torch says: in ``InpaintingModel.backward``, at ``gen_loss.backward()``, that a variable needed for the gradient has
been modified by an in-place operation. It does not say which, nor that the step one line above has done it.
Found: AGH201 at ``self.dis_optimizer.step()`` in model.py.
"""

import torch
from torch.utils.data import DataLoader, TensorDataset

from model import InpaintingModel


def square_masks(count, size):
    """One square hole in each image."""
    masks = torch.zeros(count, 1, size, size)
    for mask in masks.detach():
        row, column = torch.randint(0, size // 2, (2,)).tolist()
        mask[:, row : row + size // 2, column : column + size // 2] = 1.0
    return masks


def train(model, loader, epochs=2):
    for epoch in range(epochs):
        for images, masks in loader:
            model.train()
            outputs, gen_loss, dis_loss = model.process(images, masks)
            model.backward(gen_loss, dis_loss)
            merged = outputs.detach() * masks + images * (1 - masks)
            error = (merged - images).abs().mean().item()
            losses = f"generator {gen_loss.item():.3f}, discriminator {dis_loss.item():.3f}"
            print(f"epoch {epoch}: {losses}, error {error:.3f}")


def main():
    torch.manual_seed(0)
    images = torch.rand(16, 3, 32, 32)
    loader = DataLoader(TensorDataset(images, square_masks(16, 32)), batch_size=4, shuffle=True)
    train(InpaintingModel(), loader)


if __name__ == "__main__":
    main()
