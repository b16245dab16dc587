"""A model of one's own in ten lines: it says that nothing moves where the first and the last frame are alike.

Run it from the repository's root, on any dataset:
python -m evaluate run out/example --model examples/own_model.py:Stillness --frames 8 --out runs/stillness
"""

from evaluate.asking import Asked


class Stillness:
    """Answers by how much the frames differ; `asked` has the prompt, the frames as an array, and their times."""

    name = "stillness"

    def reply(self, asked: Asked) -> str:
        first, last = asked.frames[0].astype(float), asked.frames[-1].astype(float)
        moved = abs(last - first).mean() > 1
        return f"Between {asked.times[0]:.1f} s and {asked.times[-1]:.1f} s. Final Answer: {'yes' if moved else 'no'}"
