"""The console command `proofreel`: one name for the three programs, generate, verify and evaluate."""

import sys
from importlib.util import find_spec
from pathlib import Path

USAGE = """usage: proofreel {generate,verify,evaluate} ...

  proofreel generate FAMILY ...          make a dataset          (python -m generators)
  proofreel verify check|read|score ...  check and score         (python -m verifier)
  proofreel evaluate run|report ...      run and report models   (python -m evaluate)

Each takes --help."""


def main() -> int:
    """Run the program that the first word names."""
    words = sys.argv[1:]
    if not words or words[0] in ("-h", "--help"):
        print(USAGE)  # noqa: T201
        return 0 if words else 2
    match words[0]:
        case "generate":
            from generators.command import main as generate

            generate(words[1:])
        case "verify":
            from verifier.__main__ import main as verify

            return verify(words[1:])
        case "evaluate":
            return _evaluate(words[1:])
    print(f"proofreel: error: unknown command {words[0]!r}: choose generate, verify or evaluate", file=sys.stderr)  # noqa: T201
    return 2


def _evaluate(words: list[str]) -> int:
    """Ours, not the package of the same name by Hugging Face, which may stand before it on the path."""
    found = find_spec("evaluate")
    place = Path(found.origin).resolve() if found and found.origin else None
    # Both packages unpack into a folder of this name, so a file of ours beside another's __init__ proves nothing.
    if place is None or "Runs models on a dataset, keeps every reply" not in place.read_text(encoding="utf-8"):
        print(  # noqa: T201
            f"proofreel: error: the package evaluate that would be loaded ({place}) is not Proofreel's: uninstall the "
            "other one, or work from Proofreel's own folder",
            file=sys.stderr,
        )
        return 2
    from evaluate.__main__ import main as evaluate

    return evaluate(words)


if __name__ == "__main__":
    sys.exit(main())
