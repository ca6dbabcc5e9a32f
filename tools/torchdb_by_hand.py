"""Sample calls that no search finds, and signatures of bindings that torch writes by hand.

Everything here is checked by the probes: a recipe that does not run fails the build.
"""

from __future__ import annotations

RECIPES: dict[str, dict[str, str]] = {
    "addbmm": {"self": "f3,3", "batch1": "f2,3,3", "batch2": "f2,3,3"},
    "addbmm_": {"self": "f3,3", "batch1": "f2,3,3", "batch2": "f2,3,3"},
    "addmv": {"self": "f3", "mat": "f3,3", "vec": "f3"},
    "addmv_": {"self": "f3", "mat": "f3,3", "vec": "f3"},
    "affine_grid_generator": {"theta": "f1,2,3", "size": "[1,2,3,3]", "align_corners": "False"},
    "batch_norm": {
        "input": "f2,3,4", "weight": "f3", "bias": "f3", "running_mean": "f3", "running_var": "f3", "training": "True",
        "momentum": "0.1", "eps": "1e-5", "cudnn_enabled": "False",
    },
    "instance_norm": {
        "input": "f2,3,4", "weight": "f3", "bias": "f3", "running_mean": "f3", "running_var": "f3",
        "use_input_stats": "True", "momentum": "0.1", "eps": "1e-5", "cudnn_enabled": "False",
    },
    "native_batch_norm": {
        "input": "f2,3,4", "weight": "f3", "bias": "f3", "running_mean": "f3", "running_var": "f3", "training": "True",
        "momentum": "0.1", "eps": "1e-5",
    },
    "native_layer_norm": {"input": "f2,3", "normalized_shape": "[3]", "weight": "f3", "bias": "f3", "eps": "1e-5"},
    "native_group_norm": {
        "input": "f2,4,3", "weight": "f4", "bias": "f4", "N": "2", "C": "4", "HxW": "3", "group": "2", "eps": "1e-5",
    },
    "layer_norm": {"input": "f2,3", "normalized_shape": "[3]", "weight": "f3", "bias": "f3"},
    "rms_norm": {"input": "f2,3", "normalized_shape": "[3]", "weight": "f3"},
    "group_norm": {"input": "f2,4,3", "num_groups": "2", "weight": "f4", "bias": "f4"},
    "clamp": {"self": "f3,3", "min": "0.1", "max": "0.9"}, "clamp_": {"self": "f3,3", "min": "0.1", "max": "0.9"},
    "clip": {"self": "f3,3", "min": "0.1", "max": "0.9"}, "clip_": {"self": "f3,3", "min": "0.1", "max": "0.9"},
    "clamp.Tensor": {"self": "f3,3", "min": "f3,3", "max": "f3,3"},
    "col2im": {
        "self": "f1,4,4", "output_size": "[3,3]", "kernel_size": "[2,2]", "dilation": "[1,1]", "padding": "[0,0]",
        "stride": "[1,1]",
    },
    "conv_tbc": {"self": "f4,1,2", "weight": "f3,2,3", "bias": "f3"},
    "conv1d": {"input": "f1,2,4", "weight": "f3,2,2", "bias": "f3"},
    "conv2d": {"input": "f1,2,4,4", "weight": "f3,2,2,2", "bias": "f3"},
    "conv3d": {"input": "f1,2,4,4,4", "weight": "f3,2,2,2,2", "bias": "f3"},
    "conv_transpose1d": {"input": "f1,2,4", "weight": "f2,3,2", "bias": "f3"},
    "conv_transpose2d.input": {"input": "f1,2,4,4", "weight": "f2,3,2,2", "bias": "f3"},
    "conv_transpose3d.input": {"input": "f1,2,4,4,4", "weight": "f2,3,2,2,2", "bias": "f3"},
    "convolution": {
        "input": "f1,2,4,4", "weight": "f3,2,2,2", "bias": "f3", "stride": "[1,1]", "padding": "[0,0]",
        "dilation": "[1,1]", "transposed": "False", "output_padding": "[0,0]", "groups": "1",
    },
    "div.Tensor_mode": {"self": "f3,3", "other": "f3,3", "rounding_mode": "'floor'"},
    "div_.Tensor_mode": {"self": "f3,3", "other": "f3,3", "rounding_mode": "'floor'"},
    "divide.Tensor_mode": {"self": "f3,3", "other": "f3,3", "rounding_mode": "'floor'"},
    "divide_.Tensor_mode": {"self": "f3,3", "other": "f3,3", "rounding_mode": "'floor'"},
    "div.Scalar_mode": {"self": "f3,3", "other": "2.0", "rounding_mode": "'floor'"},
    "div_.Scalar_mode": {"self": "f3,3", "other": "2.0", "rounding_mode": "'floor'"},
    "divide.Scalar_mode": {"self": "f3,3", "other": "2.0", "rounding_mode": "'floor'"},
    "divide_.Scalar_mode": {"self": "f3,3", "other": "2.0", "rounding_mode": "'floor'"},
    "embedding": {"weight": "f4,3", "indices": "j2,2"},
    "grid_sampler": {
        "input": "f1,2,4,4", "grid": "f1,3,3,2", "interpolation_mode": "0", "padding_mode": "0", "align_corners": "False",
    },
    "grid_sampler_2d": {
        "input": "f1,2,4,4", "grid": "f1,3,3,2", "interpolation_mode": "0", "padding_mode": "0", "align_corners": "False",
    },
    "grid_sampler_3d": {
        "input": "f1,2,4,4,4", "grid": "f1,3,3,3,3", "interpolation_mode": "0", "padding_mode": "0",
        "align_corners": "False",
    },
    "float_power_.Scalar": {"self": "g3,3", "exponent": "2.0"}, "float_power_.Tensor": {"self": "g3,3", "exponent": "g3,3"},
    "view.dtype": {"self": "f3,3", "dtype": "torch.int32"}, "view_copy.dtype": {"self": "f3,3", "dtype": "torch.int32"},
    "gru.input": {
        "input": "f2,1,3", "hx": "f1,1,4", "params": "[f12,3;f12,4;f12;f12]", "has_biases": "True", "num_layers": "1",
        "dropout": "0.0", "train": "True", "bidirectional": "False", "batch_first": "False",
    },
    "lstm.input": {
        "input": "f2,1,3", "hx": "[f1,1,4;f1,1,4]", "params": "[f16,3;f16,4;f16;f16]", "has_biases": "True",
        "num_layers": "1", "dropout": "0.0", "train": "True", "bidirectional": "False", "batch_first": "False",
    },
    "rnn_tanh.input": {
        "input": "f2,1,3", "hx": "f1,1,4", "params": "[f4,3;f4,4;f4;f4]", "has_biases": "True", "num_layers": "1",
        "dropout": "0.0", "train": "True", "bidirectional": "False", "batch_first": "False",
    },
    "rnn_relu.input": {
        "input": "f2,1,3", "hx": "f1,1,4", "params": "[f4,3;f4,4;f4;f4]", "has_biases": "True", "num_layers": "1",
        "dropout": "0.0", "train": "True", "bidirectional": "False", "batch_first": "False",
    },
    "gru_cell": {"input": "f2,3", "hx": "f2,4", "w_ih": "f12,3", "w_hh": "f12,4", "b_ih": "f12", "b_hh": "f12"},
    "lstm_cell": {
        "input": "f2,3", "hx": "[f2,4;f2,4]", "w_ih": "f16,3", "w_hh": "f16,4", "b_ih": "f16", "b_hh": "f16",
    },
    "rnn_tanh_cell": {"input": "f2,3", "hx": "f2,4", "w_ih": "f4,3", "w_hh": "f4,4", "b_ih": "f4", "b_hh": "f4"},
    "rnn_relu_cell": {"input": "f2,3", "hx": "f2,4", "w_ih": "f4,3", "w_hh": "f4,4", "b_ih": "f4", "b_hh": "f4"},
    "linalg_tensorinv": {"self": "f3,3", "ind": "1"},
    "linalg_lu_solve": {"LU": "f3,3", "pivots": "torch.tensor([1,2,3], dtype=torch.int32)", "B": "f3,3"},
    "lu_solve": {"self": "f3,3", "LU_data": "f3,3", "LU_pivots": "torch.tensor([1,2,3], dtype=torch.int32)"},
    "lu_unpack": {"LU_data": "f3,3", "LU_pivots": "torch.tensor([1,2,3], dtype=torch.int32)"},
    "linear": {"input": "f2,3", "weight": "f4,3", "bias": "f4"},
    "bilinear": {"input1": "f2,3", "input2": "f2,4", "weight": "f5,3,4", "bias": "f5"},
    "matmul": {"self": "f2,3,3", "other": "f3,3"},
    "mse_loss": {"self": "f3", "target": "f3"}, "smooth_l1_loss": {"self": "f3", "target": "f3"},
    "huber_loss": {"self": "f3", "target": "f3"}, "soft_margin_loss": {"self": "f3", "target": "f3"},
    "multi_margin_loss": {"self": "f1,4", "target": "i1", "weight": "f4"},
    "binary_cross_entropy": {"self": "f3", "target": "f3", "weight": "f3"},
    "binary_cross_entropy_with_logits": {"self": "f3", "target": "f3", "weight": "f3", "pos_weight": "f3"},
    "cross_entropy_loss": {"self": "f2,3", "target": "j2", "weight": "f3"},
    "nll_loss": {"self": "f2,3", "target": "j2", "weight": "f3"},
    "nll_loss_nd": {"self": "f2,3", "target": "j2", "weight": "f3"},
    "nll_loss2d": {"self": "f1,2,4,4", "target": "j1,4,4", "weight": "f2"},
    "max_unpool2d": {"self": "f1,1,1,1", "indices": "i1,1,1,1", "output_size": "[2,2]"},
    "max_unpool3d": {
        "self": "f1,1,1,1,1", "indices": "i1,1,1,1,1", "output_size": "[2,2,2]", "stride": "[2,2,2]", "padding": "[0,0,0]",
    },
    "fractional_max_pool2d": {"self": "f1,1,4,4", "kernel_size": "[2,2]", "output_size": "[2,2]", "random_samples": "f1,1,2"},
    "fractional_max_pool3d": {
        "self": "f1,1,4,4,4", "kernel_size": "[2,2,2]", "output_size": "[2,2,2]", "random_samples": "f1,1,3",
    },
    "reflection_pad3d": {"self": "f1,2,4,4,4", "padding": "[1,1,1,1,1,1]"},
    "replication_pad3d": {"self": "f1,2,4,4,4", "padding": "[1,1,1,1,1,1]"},
    "rrelu_with_noise": {"self": "f3", "noise": "f3", "training": "True"},
    "rrelu_with_noise_": {"self": "f3", "noise": "f3", "training": "True"},
    "rrelu": {"self": "f3", "training": "True"}, "rrelu_": {"self": "f3", "training": "True"},
    "scatter.reduce": {"self": "f3,3", "dim": "0", "index": "i1,3", "src": "f3,3", "reduce": "'add'"},
    "scatter.value_reduce": {"self": "f3,3", "dim": "0", "index": "i1,3", "value": "0.5", "reduce": "'add'"},
    "scatter_.reduce": {"self": "f3,3", "dim": "0", "index": "i1,3", "src": "f3,3", "reduce": "'add'"},
    "scatter_.value_reduce": {"self": "f3,3", "dim": "0", "index": "i1,3", "value": "0.5", "reduce": "'add'"},
    "scatter_reduce.two": {"self": "f3,3", "dim": "0", "index": "i1,3", "src": "f3,3", "reduce": "'mean'"},
    "scatter_reduce_.two": {"self": "f3,3", "dim": "0", "index": "i1,3", "src": "f3,3", "reduce": "'mean'"},
    "select_scatter": {"self": "f3,3", "src": "f3", "dim": "0", "index": "1"},
    "segment_reduce": {"data": "f4", "reduce": "'sum'", "lengths": "torch.tensor([2,2])"},
    "split.Tensor": {"self": "f4", "split_size": "2"}, "split.sizes": {"self": "f4", "split_size": "[2,2]"},
    "split_with_sizes": {"self": "f4", "split_sizes": "[2,2]"}, "chunk": {"self": "f4", "chunks": "2"},
    "view": {"self": "f4", "size": "[2,2]"}, "reshape": {"self": "f4", "shape": "[2,2]"},
    "stft": {"self": "f8", "n_fft": "4", "window": "f4", "return_complex": "True"},
    "stft.center": {"self": "f8", "n_fft": "4", "window": "f4", "return_complex": "True"},
    "istft": {"self": "torch.stft(torch.rand(8), 4, window=torch.ones(4), return_complex=True)", "n_fft": "4", "window": "f4"},
    "upsample_nearest1d.vec": {"input": "f1,2,4", "output_size": "[8]", "scale_factors": "None"},
    "upsample_nearest2d.vec": {"input": "f1,2,4,4", "output_size": "[8,8]", "scale_factors": "None"},
    "upsample_nearest3d.vec": {"input": "f1,2,4,4,4", "output_size": "[8,8,8]", "scale_factors": "None"},
    "upsample_linear1d.vec": {
        "input": "f1,2,4", "output_size": "[8]", "align_corners": "False", "scale_factors": "None",
    },
    "upsample_bilinear2d.vec": {
        "input": "f1,2,4,4", "output_size": "[8,8]", "align_corners": "False", "scale_factors": "None",
    },
    "upsample_bicubic2d.vec": {
        "input": "f1,2,4,4", "output_size": "[8,8]", "align_corners": "False", "scale_factors": "None",
    },
    "upsample_trilinear3d.vec": {
        "input": "f1,2,4,4,4", "output_size": "[8,8,8]", "align_corners": "False", "scale_factors": "None",
    },
    "view_as_complex": {"self": "f3,2"},
    "ctc_loss.Tensor": {
        "log_probs": "f4,1,3", "targets": "j1,2", "input_lengths": "torch.tensor([4])", "target_lengths": "torch.tensor([2])",
        "reduction": "1",
    },
    "ctc_loss.IntList": {
        "log_probs": "f4,1,3", "targets": "j1,2", "input_lengths": "[4]", "target_lengths": "[2]",
        "reduction": "1",
    },
    "scaled_dot_product_attention": {"query": "f1,2,3,4", "key": "f1,2,3,4", "value": "f1,2,3,4"},
    "index_add": {"self": "f3,3", "dim": "0", "index": "i1", "source": "f1,3"},
    "index_add_": {"self": "f3,3", "dim": "0", "index": "i1", "source": "f1,3"},
    "index_copy": {"self": "f3,3", "dim": "0", "index": "i1", "source": "f1,3"},
    "index_put": {"self": "f3,3", "indices": "[i1]", "values": "f3"},
    "index_put_": {"self": "f3,3", "indices": "[i1]", "values": "f3"},
    "orgqr": {"self": "f3,3", "input2": "f3"},
    "ormqr": {"self": "f3,3", "input2": "f3", "input3": "f3,3"},
    "igamma": {"self": "j3", "other": "f3"}, "igammac": {"self": "j3", "other": "f3"},
    "bernoulli_.Tensor": {"self": "f3,3", "p": "f3"},
}  # fmt: skip

# Methods and functions that torch binds by hand in C++ (python_variable_methods.cpp, python_torch_functions_manual.cpp)
# or writes in Python: name -> (parameters in the loader's notation, row). A row names an ATen overload, or is the dict
# of facts itself; `maybe_view` results are self itself when nothing changes.
_CAST = {"r": ["maybe_view:self"], "d": ["self"], "f": "same"}
_READ = {"r": ["other"]}
METHODS: dict[str, list[tuple[str, dict[str, object]]]] = {
    "contiguous": [("self:T;memory_format:X=null", {"op": "contiguous", **_CAST})],
    "to": [
        ("self:T;dtype:D;non_blocking:B=false;copy:B=false;*;memory_format:X=null", {"op": "to", **_CAST}),
        ("self:T;device:X=null;dtype:D?=null;non_blocking:B=false;copy:B=false;*;memory_format:X=null", {"op": "to", **_CAST}),
        ("self:T;other:T;non_blocking:B=false;copy:B=false;*;memory_format:X=null", {"op": "to", **_CAST}),
    ],
    "type": [("self:T;dtype:X=null;non_blocking:B=false", {"op": "type", **_CAST})],
    "cpu": [("self:T;memory_format:X=null", {"op": "cpu", **_CAST})],
    "cuda": [("self:T;device:X=null;non_blocking:B=false;memory_format:X=null", {"op": "cuda", **_CAST})],
    "xpu": [("self:T;device:X=null;non_blocking:B=false;memory_format:X=null", {"op": "xpu", **_CAST})],
    "ipu": [("self:T;device:X=null;non_blocking:B=false;memory_format:X=null", {"op": "ipu", **_CAST})],
    **{
        name: [("self:T;memory_format:X=null", {"op": name, **_CAST})]
        for name in ("float", "double", "half", "bfloat16", "cfloat", "cdouble", "chalf")
    },
    **{
        name: [("self:T;memory_format:X=null", {"op": name, "r": ["maybe_view:self"], "n": [0], "f": "same"})]
        for name in ("int", "long", "short", "char", "byte", "bool")
    },
    "copy_": [
        ("self:T;src:W;non_blocking:B=false",
         {"op": "copy", "d": ["self", "src"], "w": ["self"], "r": ["alias:self"], "f": "same"}),
    ],
    "requires_grad_": [("self:T;requires_grad:B=true", {"op": "requires_grad", "r": ["alias:self"], "f": "same"})],
    "set_": [
        ("self:T;source:X=null;storage_offset:I?=null;size:S?=null;stride:S?=null",
         {"op": "set", "w": ["self"], "r": ["alias:self"]}),
    ],
    "apply_": [("self:T;callable:X", {"op": "apply", "r": ["alias:self"], "f": "same"})],
    "map_": [("self:T;tensor:T;callable:X", {"op": "map", "r": ["alias:self"], "f": "same"})],
    "map2_": [("self:T;x:T;y:T;callable:X", {"op": "map2", "r": ["alias:self"], "f": "same"})],
    "new": [("self:T;*args:X=null", {"op": "new", "n": [0], "f": "creation"})],
    "new_tensor": [
        ("self:T;data:X;dtype:D?=null;device:X=null;requires_grad:B=false", {"op": "new_tensor", "n": [0], "f": "creation"}),
    ],
    "nonzero": [("self:T;*;as_tuple:B=false", {"op": "nonzero", "n": [0]})],
    "resize": [("self:T;*sizes:X=null", {"op": "resize", "d": ["self"], "r": ["view:self"]})],
    "resize_as": [("self:T;tensor:T", {"op": "resize_as", "d": ["self"], "r": ["view:self"]})],
    "resize_": [("self:T;size:S;*;memory_format:X=null", {"op": "resize", "r": ["alias:self"]})],
    "share_memory_": [("self:T", {"op": "share_memory", "r": ["alias:self"]})],
    "pin_memory": [("self:T;device:X=null", {"op": "pin_memory", **_CAST})],
    **{
        name: [(text, {"op": name, **_READ})]
        for name, text in {
            "item": "self:T", "tolist": "self:T", "numpy": "self:T;*;force:B=false", "size": "self:T;dim:I?=null",
            "stride": "self:T;dim:I?=null", "dim": "self:T", "ndimension": "self:T", "numel": "self:T", "nelement": "self:T",
            "element_size": "self:T", "data_ptr": "self:T", "storage": "self:T", "untyped_storage": "self:T",
            "storage_offset": "self:T", "storage_type": "self:T", "get_device": "self:T", "has_names": "self:T",
            "is_contiguous": "self:T;memory_format:X=null", "is_shared": "self:T", "dim_order": "self:T",
            "register_hook": "self:T;hook:X", "register_post_accumulate_grad_hook": "self:T;hook:X",
            "backward": "self:T;gradient:O=null;retain_graph:B?=null;create_graph:B=false;inputs:X=null",
            "retain_grad": "self:T", "is_same_size": "self:T;other:T", "__len__": "self:T", "__bool__": "self:T",
            "__float__": "self:T", "__int__": "self:T", "__index__": "self:T", "__contains__": "self:T;element:X",
        }.items()
    },
}  # fmt: skip

FUNCTIONS: dict[str, list[tuple[str, dict[str, object]]]] = {
    "tensor": [
        ("data:X;*;dtype:D?=null;device:X=null;requires_grad:B=false;pin_memory:B=false",
         {"op": "tensor", "n": [0], "f": "creation"}),
    ],
    "as_tensor": [("data:X;dtype:D?=null;device:X=null", {"op": "as_tensor", "d": ["data"], "r": ["maybe_view:data"]})],
    "asarray": [
        ("obj:X;*;dtype:D?=null;device:X=null;copy:B?=null;requires_grad:B=false",
         {"op": "asarray", "d": ["obj"], "r": ["maybe_view:obj"]}),
    ],
    "from_numpy": [("ndarray:X", {"op": "from_numpy", "n": [0], "f": "creation"})],
    "from_dlpack": [("ext_tensor:X", {"op": "from_dlpack", "n": [0], "f": "creation"})],
    "frombuffer": [
        ("buffer:X;*;dtype:D;count:I=-1;offset:I=0;requires_grad:B=false", {"op": "frombuffer", "n": [0], "f": "creation"}),
    ],
    "range": [
        ("start:N;end:N;step:N=1;*;out:O=null;dtype:D?=null;layout:X=null;device:X=null;requires_grad:B=false",
         {"op": "range", "n": [0], "f": "creation"}),
    ],
    **{
        name: [
            (f"{first};values:T;size:S?=null;*;dtype:D?=null;device:X=null;requires_grad:B=false",
             {"op": name, "d": ["values"], "r": ["other"], "f": "creation"}),
        ]
        for name, first in {
            "sparse_coo_tensor": "indices:T", "sparse_csr_tensor": "crow_indices:T;col_indices:T",
            "sparse_csc_tensor": "ccol_indices:T;row_indices:T", "sparse_bsr_tensor": "crow_indices:T;col_indices:T",
            "sparse_bsc_tensor": "ccol_indices:T;row_indices:T",
            "sparse_compressed_tensor": "compressed_indices:T;plain_indices:T",
        }.items()
    },
    "nonzero": [("input:T;*;out:O=null;as_tuple:B=false", {"op": "nonzero", "n": [0]})],
    "numel": [("input:T", {"op": "numel", **_READ})],
    "get_device": [("input:T", {"op": "get_device", **_READ})],
    "is_tensor": [("obj:X", {"op": "is_tensor", **_READ})],
    "broadcast_shapes": [("*shapes:X", {"op": "broadcast_shapes", **_READ})],
}  # fmt: skip
