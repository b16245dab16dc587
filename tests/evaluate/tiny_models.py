"""Checkpoints of five families of video models, a megabyte each, random and made on the spot.

They are loaded by path as any other checkpoint is, so that the whole way of a frame from our files into a model's
input is tested without a network. Their replies are gibberish.
"""

import importlib
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

END, PAD, START = "<|im_end|>", "<|endoftext|>", "<|im_start|>"
WIDTH, LAYERS, HEADS = 32, 2, 2
SIDE, PATCH = 32, 8
"""Width of the models; side of a frame and of a patch in pixels, where a family has fixed ones."""

_libraries: list[Any] = []


def transformers() -> Any:
    """The package, importable even where torchvision's compiled part was built for another torch.

    Its Python part, which is all that processors use, asks at import for two operators of the compiled one.
    """
    torch: Any = importlib.import_module("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            importlib.import_module("torchvision")
        except RuntimeError:
            for name in [name for name in sys.modules if name.partition(".")[0] == "torchvision"]:
                del sys.modules[name]
            library = torch.library.Library("torchvision", "FRAGMENT")
            _libraries.append(library)
            for operator in ("nms", "qnms"):
                library.define(f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
            importlib.import_module("torchvision")
        found: Any = importlib.import_module("transformers")
        found.utils.logging.set_verbosity_error()
        found.utils.logging.disable_progress_bar()
        # Named here so that no first use of them warns within a test.
        _ = found.AutoProcessor, found.AutoModelForImageTextToText
    return found


def _tokenizer(special: list[str], named: Mapping[str, str]) -> Any:
    """A token for each byte and each special text: it takes any text and gives it back."""
    tokenizers: Any = importlib.import_module("tokenizers")
    letters = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    plain = tokenizers.Tokenizer(
        tokenizers.models.BPE(vocab={letter: number for number, letter in enumerate(letters)}, merges=[])
    )
    plain.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    plain.decoder = tokenizers.decoders.ByteLevel()
    plain.add_special_tokens([PAD, START, END, *special])
    return transformers().PreTrainedTokenizerFast(
        tokenizer_object=plain,
        eos_token=END,
        pad_token=PAD,
        padding_side="left",
        additional_special_tokens=[START, *special],
        extra_special_tokens=dict(named),
        clean_up_tokenization_spaces=False,
        model_max_length=16_384,
    )


def _template(image: str, video: str) -> str:
    """A chat template: turns between marks, and in them texts, images and videos as the family writes them."""
    part = (
        "{% if part['type'] == 'text' %}{{ part['text'] }}"
        "{% elif part['type'] == 'video' %}" + video + "{% else %}" + image + "{% endif %}"
    )
    turn = START + "{{ turn['role'] }}\n{% for part in turn['content'] %}" + part + "{% endfor %}" + END + "\n"
    reply = "{% if add_generation_prompt %}" + START + "assistant\n{% endif %}"
    return "{% for turn in messages %}" + turn + "{% endfor %}" + reply


def _language(tokenizer: Any, **more: Any) -> dict[str, Any]:
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": WIDTH,
        "intermediate_size": 2 * WIDTH,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": HEADS,
        "max_position_embeddings": 16_384,
        "pad_token_id": tokenizer.pad_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "bos_token_id": None,
        **more,
    }


def _vision(**more: Any) -> dict[str, Any]:
    return {
        "hidden_size": WIDTH,
        "intermediate_size": 2 * WIDTH,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "image_size": SIDE,
        "patch_size": PATCH,
        **more,
    }


def _smolvlm(package: Any) -> tuple[Any, Any]:
    named = {
        "fake_image_token": "<fake_token_around_image>",
        "image_token": "<image>",
        "end_of_utterance_token": "<end_of_utterance>",
        "global_image_token": "<global-img>",
        "video_token": "<video>",
    }
    tokenizer = _tokenizer([*named.values(), "<row_1_col_1>"], named)
    longest = {"longest_edge": SIDE}
    model = package.SmolVLMForConditionalGeneration(
        package.SmolVLMConfig(
            text_config={"model_type": "llama", **_language(tokenizer)},
            vision_config=_vision(),
            scale_factor=2,
            image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
            pad_token_id=tokenizer.pad_token_id,
        )
    )
    processor = package.SmolVLMProcessor(
        image_processor=package.SmolVLMImageProcessor(size=longest, max_image_size=longest, do_image_splitting=False),
        tokenizer=tokenizer,
        video_processor=package.SmolVLMVideoProcessor(
            size=longest,
            max_image_size=longest,
            video_sampling={"fps": 1, "max_frames": 64, "video_size": longest},
        ),
        image_seq_len=(SIDE // PATCH // 2) ** 2,
        chat_template=_template("<image>", "<video>"),
    )
    return model, processor


def _qwen(package: Any, is_third: bool) -> tuple[Any, Any]:
    marks = ["<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"]
    tokenizer = _tokenizer(marks, {})
    start, end, image, video = (tokenizer.convert_tokens_to_ids(mark) for mark in marks)
    tokens = {
        "vision_start_token_id": start,
        "vision_end_token_id": end,
        "image_token_id": image,
        "video_token_id": video,
    }
    half = WIDTH // HEADS // 2
    rope = {
        "rope_type": "default",
        "rope_theta": 10_000.0,
        "mrope_section": [half - 2 * (half // 4), half // 4, half // 4],
    }
    patches = {"patch_size": PATCH, "temporal_patch_size": 2}
    vision = {
        "depth": LAYERS,
        "hidden_size": WIDTH,
        "intermediate_size": 2 * WIDTH,
        "num_heads": HEADS,
        "out_hidden_size": WIDTH,
        "spatial_merge_size": 2,
        **patches,
    }
    a_frame = {"shortest_edge": SIDE * SIDE, "longest_edge": 4 * SIDE * SIDE}
    if is_third:
        config = package.Qwen3VLConfig(
            text_config=_language(
                tokenizer, head_dim=WIDTH // HEADS, rope_parameters={**rope, "mrope_interleaved": True}
            ),
            vision_config={**vision, "num_position_embeddings": 64, "deepstack_visual_indexes": [0]},
            **tokens,
        )
        model = package.Qwen3VLForConditionalGeneration(config)
        # Here the limits are of all frames of a video together.
        a_clip = {"shortest_edge": 4 * SIDE * SIDE, "longest_edge": 64 * SIDE * SIDE}
        videos = package.Qwen3VLVideoProcessor(size=a_clip, cap_pixels_per_frame=False, merge_size=2, **patches)
        kind = package.Qwen3VLProcessor
    else:
        config = package.Qwen2_5_VLConfig(
            text_config=_language(tokenizer, rope_parameters=rope),
            vision_config={**vision, "window_size": 4 * PATCH, "fullatt_block_indexes": [LAYERS - 1]},
            **tokens,
        )
        model = package.Qwen2_5_VLForConditionalGeneration(config)
        videos = package.Qwen2VLVideoProcessor(size=a_frame, cap_pixels_per_frame=False, merge_size=2, **patches)
        kind = package.Qwen2_5_VLProcessor
    processor = kind(
        image_processor=package.Qwen2VLImageProcessor(size=a_frame, merge_size=2, **patches),
        tokenizer=tokenizer,
        video_processor=videos,
        chat_template=_template(
            "<|vision_start|><|image_pad|><|vision_end|>", "<|vision_start|><|video_pad|><|vision_end|>"
        ),
    )
    return model, processor


def _llava_onevision(package: Any) -> tuple[Any, Any]:
    named = {"image_token": "<image>", "video_token": "<video>"}
    tokenizer = _tokenizer([*named.values()], named)
    square = {"height": SIDE, "width": SIDE}
    points = [[SIDE, SIDE], [SIDE, 2 * SIDE]]
    model = package.LlavaOnevisionForConditionalGeneration(
        package.LlavaOnevisionConfig(
            text_config={"model_type": "qwen2", **_language(tokenizer)},
            vision_config={"model_type": "siglip_vision_model", **_vision(vision_use_head=False)},
            image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
            video_token_index=tokenizer.convert_tokens_to_ids("<video>"),
            image_grid_pinpoints=points,
        )
    )
    processor = package.LlavaOnevisionProcessor(
        image_processor=package.LlavaOnevisionImageProcessor(size=square, image_grid_pinpoints=points),
        tokenizer=tokenizer,
        video_processor=package.LlavaOnevisionVideoProcessor(size=square),
        num_image_tokens=(SIDE // PATCH) ** 2,
        vision_feature_select_strategy="full",
        chat_template=_template("<image>", "<video>"),
    )
    return model, processor


def _internvl(package: Any) -> tuple[Any, Any]:
    named = {
        "start_image_token": "<img>",
        "end_image_token": "</img>",
        "context_image_token": "<IMG_CONTEXT>",
        "video_token": "<video>",
    }
    tokenizer = _tokenizer([*named.values()], named)
    square = {"height": SIDE, "width": SIDE}
    length = (SIDE // PATCH // 2) ** 2
    model = package.InternVLForConditionalGeneration(
        package.InternVLConfig(
            text_config={"model_type": "qwen2", **_language(tokenizer)},
            vision_config=_vision(image_size=[SIDE, SIDE], patch_size=[PATCH, PATCH]),
            image_token_id=tokenizer.convert_tokens_to_ids("<IMG_CONTEXT>"),
            image_seq_length=length,
            downsample_ratio=0.5,
        )
    )
    processor = package.InternVLProcessor(
        image_processor=package.GotOcr2ImageProcessor(size=square, crop_to_patches=False),
        tokenizer=tokenizer,
        video_processor=package.InternVLVideoProcessor(size=square),
        image_seq_length=length,
        chat_template=_template("<IMG_CONTEXT>\n", "<video>\n"),
    )
    return model, processor


FAMILIES: Mapping[str, Callable[[Any], tuple[Any, Any]]] = {
    "smolvlm": _smolvlm,
    "qwen2_5_vl": lambda package: _qwen(package, is_third=False),
    "qwen3_vl": lambda package: _qwen(package, is_third=True),
    "llava_onevision": _llava_onevision,
    "internvl": _internvl,
}


def write_tiny_model(family: str, folder: Path, seed: int = 0) -> Path:
    """A checkpoint of the family in `folder`, with everything that `from_pretrained` needs."""
    package = transformers()
    importlib.import_module("torch").manual_seed(seed)
    model, processor = FAMILIES[family](package)
    config = model.generation_config
    config.eos_token_id, config.pad_token_id = processor.tokenizer.eos_token_id, processor.tokenizer.pad_token_id
    config.bos_token_id = None
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder
