"""`hf:PATH_OR_ID`: a checkpoint run here through transformers, shown exactly our frames with their times.

Without `do_sample_frames=False` and metadata, processors drop frames or take the frame rate for 24, and say nothing.
"""

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluate.asking import Asked
from evaluate.models.contract import Answer, Maker, Model, ModelOptions
from generators.errors import InputError

MAXIMUM_TOKENS = 2048
TELL_TIMES = ("Qwen2_5", "Qwen3", "Glm4v", "Glm46V")
"""Processors, by how their names begin, that tell the model exact times; for the others we write them into the prompt.

SmolVLM's writes whole seconds only, LLaVA-OneVision's and InternVL's none.
"""

AT_LEAST_TWO = ("Qwen3",)
"""Processors that refuse a video of one frame: it is shown twice."""


@dataclass(slots=True)
class Checkpoint:
    """A model and its processor, loaded; it decodes greedily, so that a reply depends on what it is asked alone."""

    name: str
    model: Any
    processor: Any
    max_tokens: int

    def reply(self, asked: Asked) -> Answer:
        return self.replies([asked])[0]

    def replies(self, batch: Sequence[Asked]) -> list[Answer]:
        """Replies to several questions, generated together where their clips have the same shape."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for place, asked in enumerate(batch):
            groups.setdefault(asked.frames.shape, []).append(place)
        answers: dict[int, Answer] = {}
        for places in groups.values():
            answers |= dict(zip(places, self._generate([batch[place] for place in places]), strict=True))
        return [answers[place] for place in range(len(batch))]

    def _generate(self, batch: Sequence[Asked]) -> list[Answer]:
        import torch

        has_frames = len(batch[0].frames) > 0
        options: dict[str, Any] = {"padding": True}
        if has_frames:
            options |= {"do_sample_frames": False, "video_metadata": [self._metadata(asked) for asked in batch]}
        inputs = self.processor.apply_chat_template(
            [self._conversation(asked) for asked in batch],
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            return_tensors="pt",
            processor_kwargs=options,
        )
        if has_frames:
            _require_all_frames(inputs, len(self._frames(batch[0])), len(batch), self.processor)
        # Only pixels are cast: ids are whole numbers, and times must stay exact.
        inputs = inputs.to(self.model.device)
        for name, value in inputs.items():
            if name.startswith("pixel_values") and torch.is_tensor(value) and value.is_floating_point():
                inputs[name] = value.to(self.model.dtype)
        with torch.inference_mode():
            tokens = self.model.generate(**inputs, max_new_tokens=self.max_tokens, do_sample=False)
        new = tokens[:, inputs["input_ids"].shape[1] :]
        texts = self.processor.batch_decode(new, skip_special_tokens=True)
        prompts = inputs["attention_mask"].sum(dim=1).tolist()
        ends = self._ends()
        return [
            self._answer(asked, text, row.tolist(), prompt, ends)
            for asked, text, row, prompt in zip(batch, texts, new, prompts, strict=True)
        ]

    def _answer(self, asked: Asked, text: str, tokens: list[int], prompt: int, ends: set[int]) -> Answer:
        length = next((place for place, token in enumerate(tokens) if token in ends), len(tokens))
        finished = length < len(tokens) or length < self.max_tokens
        given: dict[str, Any] = {}
        if len(asked.frames):
            shown = self._frames(asked)
            given = {"times_in_prompt": not self._tells_times}
            given |= {"shown_twice": True} if len(shown) > len(asked.frames) else {}
        return Answer(
            text,
            finish_reason="stop" if finished else "length",
            usage={"prompt_tokens": int(prompt), "completion_tokens": length},
            given=given,
        )

    def _ends(self) -> set[int]:
        """The tokens that end a reply, or fill the room behind its end."""
        config = self.model.generation_config
        found: set[int] = set()
        for tokens in (config.eos_token_id, config.pad_token_id):
            found |= set(tokens) if isinstance(tokens, list) else set() if tokens is None else {int(tokens)}
        return found

    @property
    def _tells_times(self) -> bool:
        return type(self.processor).__name__.startswith(TELL_TIMES)

    def _frames(self, asked: Asked) -> Any:
        frames = asked.frames
        if len(frames) == 1 and type(self.processor).__name__.startswith(AT_LEAST_TWO):
            return frames.repeat(2, axis=0)
        return frames

    def _metadata(self, asked: Asked) -> dict[str, Any]:
        clip, slots = asked.item.clips[asked.clip], list(asked.view.choice.slots)
        slots *= len(self._frames(asked)) // len(slots)
        return {
            "fps": float(clip.fps),
            "total_num_frames": clip.frames,
            "duration": clip.frames / clip.fps,
            "frames_indices": slots,
        }

    def _conversation(self, asked: Asked) -> list[dict[str, Any]]:
        parts: list[dict[str, Any]] = []
        text = asked.prompt
        if len(asked.frames):
            # A copy, since torch takes no array that is read-only, as ours are.
            parts.append({"type": "video", "video": self._frames(asked).copy()})
            if not self._tells_times:
                text = f"{times_in_words(asked)}\n\n{text}"
        return [{"role": "user", "content": [*parts, {"type": "text", "text": text}]}]


def times_in_words(asked: Asked) -> str:
    """The times of the frames, for models whose processors tell none."""
    times = ", ".join(f"{time:.2f}" for time in asked.times)
    if len(asked.times) == 1:
        return f"The video is shown as 1 frame, taken {times} seconds from its start."
    return f"The video is shown as {len(asked.times)} frames, taken at these seconds from its start: {times}."


def _require_all_frames(inputs: Any, frames: int, videos: int, processor: Any) -> None:
    """Raises InputError where the processor let frames go, as far as its output tells."""
    kept = frames
    if "video_grid_thw" in inputs:
        step = int(getattr(getattr(processor, "video_processor", None), "temporal_patch_size", 0) or 2)
        kept = int(inputs["video_grid_thw"][0][0]) * step
        # An odd number is filled up with the last frame.
        frames += -frames % step
    elif "pixel_values_videos" in inputs:
        pixels = inputs["pixel_values_videos"]
        kept = int(pixels.shape[1]) if pixels.ndim == 5 else int(pixels.shape[0]) // videos
    elif "pixel_values" in inputs and inputs["pixel_values"].ndim == 5:
        kept = int(inputs["pixel_values"].shape[1])
    if kept != frames:
        raise InputError(
            f"{type(processor).__name__} kept {kept} of {frames} frames: this version of transformers samples them "
            "again; send it fewer with --frames, or use another version"
        )


def hf_maker(place: str, options: ModelOptions) -> Maker:
    """Raises InputError where packages are absent or an option makes no sense; nothing is loaded yet."""
    absent = [name for name in ("torch", "transformers") if importlib.util.find_spec(name) is None]
    if absent:
        raise InputError(f"hf: models need {', '.join(absent)}: python -m pip install 'proofreel[hf]'")
    if options.device_map is not None and importlib.util.find_spec("accelerate") is None:
        raise InputError("--device-map needs accelerate, which is not installed: python -m pip install accelerate")
    path = Path(place)
    if place.startswith((".", "/", "~")) and not path.expanduser().is_dir():
        raise InputError(f"--model hf:{place}: there is no folder {place}")
    name = path.expanduser().resolve().name if path.expanduser().is_dir() else place
    dtype, max_tokens = options.dtype or "auto", options.max_tokens or MAXIMUM_TOKENS
    loaded: list[Checkpoint] = []

    def make(dataset: Path, seed: int) -> Model:
        if not loaded:
            loaded.append(_load(place, name, options, dtype, max_tokens))
        return loaded[0]

    return Maker(
        name=name,
        spec=f"hf:{place}",
        make=make,
        parameters={"dtype": dtype, "max_tokens": max_tokens},
        packages=("torch", "transformers", "torchvision"),
        batch=options.batch or 1,
        needs_canary=True,
        given={"delivery": "video", "encoding": "rgb24"},
    )


def _load(place: str, name: str, options: ModelOptions, dtype: str, max_tokens: int) -> Checkpoint:
    """Raises InputError where the checkpoint cannot be had or is not of a video model."""
    import torch
    import transformers

    if dtype != "auto" and not isinstance(getattr(torch, dtype, None), torch.dtype):
        raise InputError(f"--dtype {dtype}: torch has no such type; use auto, bfloat16, float16 or float32")
    known: dict[str, Any] = {"dtype": dtype if dtype == "auto" else getattr(torch, dtype)}
    if options.device_map is not None:
        known["device_map"] = options.device_map
    try:
        make_processor: Any = transformers.AutoProcessor
        processor = make_processor.from_pretrained(place)
        model: Any = transformers.AutoModelForImageTextToText.from_pretrained(place, **known)
    except (OSError, ValueError, ImportError, KeyError, RuntimeError) as error:
        raise InputError(f"--model hf:{place} cannot be loaded: {type(error).__name__}: {str(error)[:400]}") from None
    if getattr(processor, "video_processor", None) is None or not hasattr(processor, "apply_chat_template"):
        raise InputError(f"--model hf:{place}: {type(processor).__name__} takes no videos")
    if options.device_map is None and torch.cuda.is_available():
        model = model.to("cuda")
    if getattr(processor, "tokenizer", None) is not None:
        processor.tokenizer.padding_side = "left"
    return Checkpoint(name, model.eval(), processor, max_tokens)
