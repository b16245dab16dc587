"""Is a contact sheet a picture, and the one of its item?"""

from collections.abc import Iterator
from io import BytesIO

from generators.item import Item

SHEET_BLOCK = 16
SHEET_TOLERANCE = 24.0
"""Mean absolute difference in levels, over any block of 16×16 pixels, that another palette may leave: Pillow may choose
other colours one day. A missing tile or another text differs by 40 or more."""


PLAIN_CHUNKS = {b"IHDR", b"PLTE", b"IDAT", b"IEND"}
"""All that a sheet is made of; texts and whatever else a PNG may carry could tell answers."""


def _chunks(data: bytes) -> list[bytes] | None:
    """The kinds of a PNG's chunks (ISO/IEC 15948, 5.3), or None where something stands before, between or behind."""
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        return None
    kinds, place = [], 8
    while place + 12 <= len(data) and b"IEND" not in kinds:
        length = int.from_bytes(data[place : place + 4], "big")
        kinds.append(data[place + 4 : place + 8])
        place += 12 + length
    return kinds if place == len(data) else None


def sheet_problems(data: bytes, item: Item) -> Iterator[str]:
    """What is wrong with the file of an item's sheet."""
    import numpy as np
    from PIL import Image

    from generators.sheet import contact_sheet
    from verifier.blocks import Blocks

    expected = contact_sheet(item)
    width, height = expected.size
    try:
        with Image.open(BytesIO(data), formats=("PNG",)) as check:
            check.verify()
        with Image.open(BytesIO(data), formats=("PNG",)) as sheet:
            if sheet.size != expected.size:
                yield f"is {sheet.width}×{sheet.height} pixels where the sheet of its item has {width}×{height}"
                return
            pictures = [np.asarray(image.convert("RGB")).reshape(height, 3 * width) for image in (sheet, expected)]
    except (OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError):
        yield "is no PNG that can be read"
        return
    if (kinds := _chunks(data)) is None or not set(kinds) <= PLAIN_CHUNKS:
        yield "holds more than a picture"
    if Blocks(height, 3 * width, SHEET_BLOCK).worst_difference(*pictures) > SHEET_TOLERANCE:
        yield "is not the sheet of its item"
