"""Check a dataset and score replies to it, as `python -m verifier` does, from Python.

Run it from the repository's root, after make_a_set: python -m examples.verify_and_score [FOLDER]
"""

import sys
from collections import Counter
from pathlib import Path

from generators.dataset import read_items
from generators.questions import write_reply
from verifier.checking import check_dataset
from verifier.scoring import asked, judge


def main(folder: Path) -> None:
    findings = list(check_dataset(folder))
    print(f"{len(findings)} findings", *findings, sep="\n")
    outcomes: Counter[tuple[str, str]] = Counter()
    for item in read_items(folder):
        for question, clip in asked(item):
            # A model that thinks aloud, is right about operations, and gives up on everything else.
            right = write_reply(question.kind, question.keys[clip])
            reply = f"<think>Let me see.</think> {right}" if question.kind == "operations" else "I am not sure."
            outcomes[question.id, judge(item, question, clip, reply).outcome] += 1
    for (question_id, outcome), count in sorted(outcomes.items()):
        print(f"{question_id:18} {outcome:9} {count}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/example"))
