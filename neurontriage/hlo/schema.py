"""The messages of HLO modules, built from a table with the protobuf runtime: no protoc, nothing of TensorFlow.

Field numbers are those of xla/service/hlo.proto and xla/xla_data.proto (https://github.com/openxla/xla). What the table
leaves out (profiles, schedules, newer fields) survives reading and writing as unknown fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, cast

PACKAGE = "neurontriage.hlo"

FIELDS = """
AliasEntryProto: output_shape_index=1:*int64 parameter_number=2:int64 parameter_shape_index=3:*int64 kind=4:enum
BufferDonorEntryProto: parameter_number=1:int64 parameter_shape_index=2:*int64
CholeskyOptions: lower=1:bool
CollectiveDeviceListProto: replica_groups=1:*ReplicaGroup iota_replica_group_list=2:IotaReplicaGroupListProto
ConvolutionDimensionNumbers: input_batch_dimension=7:int64 input_feature_dimension=8:int64
  input_spatial_dimensions=11:*int64 kernel_input_feature_dimension=3:int64 kernel_output_feature_dimension=4:int64
  kernel_spatial_dimensions=6:*int64 output_batch_dimension=9:int64 output_feature_dimension=10:int64
  output_spatial_dimensions=12:*int64
DotDimensionNumbers: lhs_contracting_dimensions=1:*int64 rhs_contracting_dimensions=2:*int64
  lhs_batch_dimensions=3:*int64 rhs_batch_dimensions=4:*int64
FileLocation: file_name_id=1:int32 function_name_id=2:int32 line=3:int32 end_line=5:int32 column=4:int32
  end_column=6:int32
FrontendAttributes: map=1:*MapEntry
GatherDimensionNumbers: offset_dims=1:*int64 collapsed_slice_dims=2:*int64 start_index_map=3:*int64
  index_vector_dim=4:int64 operand_batching_dims=5:*int64 start_indices_batching_dims=6:*int64
HloBufferDonorProto: entries=1:*BufferDonorEntryProto
HloComputationProto: name=1:string instructions=2:*HloInstructionProto program_shape=4:ProgramShapeProto id=5:int64
  root_id=6:int64 is_fusion_computation=7:bool execution_thread=8:string
HloInputOutputAliasProto: entries=1:*AliasEntryProto
HloInstructionProto: name=1:string opcode=2:string shape=3:ShapeProto metadata=7:OpMetadata literal=8:LiteralProto
  parameter_number=9:int64 fusion_kind=11:string tuple_index=13:int64 dimensions=14:*int64 window=15:Window
  convolution_dimension_numbers=16:ConvolutionDimensionNumbers feature_group_count=50:int64
  batch_group_count=58:int64 slice_dimensions=17:*SliceDimensions exponent_bits=18:int32 mantissa_bits=19:int32
  dynamic_slice_sizes=20:*int64 padding_config=21:PaddingConfig outfeed_config=22:bytes distribution=23:enum
  epsilon=24:float feature_index=25:int64 channel_id=26:int64 infeed_config=27:bytes custom_call_target=28:string
  outfeed_shape=29:ShapeProto dot_dimension_numbers=30:DotDimensionNumbers fft_type=31:enum fft_length=32:*int64
  comparison_direction=63:string gather_dimension_numbers=33:GatherDimensionNumbers gather_slice_sizes=34:*int64
  id=35:int64 operand_ids=36:*int64 control_predecessor_ids=37:*int64 called_computation_ids=38:*int64
  sharding=40:OpSharding backend_config=43:bytes replica_groups=49:*ReplicaGroup all_reduce_id=45:int64
  use_global_device_ids=71:bool is_host_transfer=47:bool is_stable=60:bool
  scatter_dimension_numbers=48:ScatterDimensionNumbers precision_config=51:PrecisionConfig
  source_target_pairs=52:*SourceTarget domain_entry_sharding=54:OpSharding domain_exit_sharding=55:OpSharding
  constrain_layout=56:bool operand_shapes_with_layout=57:*ShapeProto
  triangular_solve_options=59:TriangularSolveOptions cholesky_options=62:CholeskyOptions
  parameter_replication=61:ParameterReplication custom_call_has_side_effect=65:bool
  output_operand_aliasing=74:*OutputOperandAliasing custom_call_schedule=76:enum delta=66:int64
  indices_are_sorted=67:bool frontend_attributes=68:FrontendAttributes unique_indices=69:bool rng_algorithm=70:enum
  comparison_type=72:string is_cross_program_prefetch=73:bool cross_program_prefetch_index=80:int32
  padding_type=75:enum custom_call_api_version=77:enum async_execution_thread=79:string k=81:int64 largest=85:bool
  collective_device_list=87:CollectiveDeviceListProto is_composite=89:bool
HloModuleProto: name=1:string entry_computation_name=2:string entry_computation_id=6:int64
  computations=3:*HloComputationProto host_program_shape=4:ProgramShapeProto id=5:int64
  input_output_alias=8:HloInputOutputAliasProto buffer_donor=18:HloBufferDonorProto is_dynamic=11:bool
  spmd_output_sharding=12:OpSharding spmd_parameters_shardings=14:*OpSharding use_auto_spmd_partitioning=16:bool
  stack_frame_index=17:StackFrameIndexProto frontend_attributes=19:FrontendAttributes
HloProto: hlo_module=1:HloModuleProto
IotaReplicaGroupListProto: num_replica_groups=1:int64 num_devices_per_group=2:int64 iota_reshape_dims=3:*int64
  iota_transpose_perm=4:*int32
LayoutProto: minor_to_major=1:*int64 dim_level_types=9:*enum dim_unique=13:*bool dim_ordered=14:*bool
  tiles=6:*TileProto tail_padding_alignment_in_elements=16:int64 element_size_in_bits=7:int64 memory_space=8:int64
  index_primitive_type=11:enum pointer_primitive_type=12:enum physical_shape=10:ShapeProto
  dynamic_shape_metadata_prefix_bytes=15:int64 split_configs=17:*SplitConfigProto
LiteralProto: shape=1:ShapeProto preds=2:*bool s1s=30:bytes s2s=26:bytes s4s=21:bytes s8s=15:bytes u1s=31:bytes
  u2s=27:bytes u4s=22:bytes u8s=3:bytes s32s=4:*int32 s64s=5:*int64 u32s=6:*uint32 u64s=7:*uint64 f32s=8:*float
  f64s=9:*double c64s=12:*float c128s=18:*double tuple_literals=10:*LiteralProto f16s=11:bytes bf16s=13:bytes
  u16s=16:bytes s16s=17:bytes f4e2m1fns=32:bytes f8e3m4s=29:bytes f8e4m3b11fnuzs=23:bytes f8e4m3fns=20:bytes
  f8e4m3fnuzs=25:bytes f8e4m3s=28:bytes f8e5m2fnuzs=24:bytes f8e5m2s=19:bytes f8e8m0fnus=33:bytes
  sparse_indices=14:*int64
MapEntry: key=1:string value=2:string
OpMetadata: op_type=1:string op_name=2:string source_file=3:string source_line=4:int32 source_end_line=17:int32
  source_column=18:int32 source_end_column=19:int32 profile_type=5:*enum size_of_generated_code_in_bytes=8:int64
  size_of_memory_working_set_in_bytes=9:int64 deduplicated_name=12:string stack_frame_id=15:int32
  scheduling_name=16:string
OpSharding: type=1:enum tile_shape=2:ShapeProto tile_assignment_dimensions=3:*int64
  tile_assignment_devices=4:*int64 tuple_shardings=5:*OpSharding replicate_on_last_tile_dim=6:bool
  metadata=7:*OpMetadata last_tile_dims=8:*enum iota_reshape_dims=9:*int64 iota_transpose_perm=10:*int32
  is_shard_group=11:bool shard_group_id=12:int64 shard_group_type=13:enum
OutputOperandAliasing: output_shape_index=1:*int64 operand_index=2:int64 operand_shape_index=3:*int64
PaddingConfig: dimensions=1:*PaddingConfigDimension
PaddingConfigDimension: edge_padding_low=1:int64 edge_padding_high=2:int64 interior_padding=3:int64
ParameterReplication: replicated_at_leaf_buffers=1:*bool
PrecisionConfig: operand_precision=1:*enum algorithm=2:enum
ProgramShapeProto: parameters=1:*ShapeProto result=2:ShapeProto parameter_names=3:*string
ReplicaGroup: replica_ids=1:*int64
ScatterDimensionNumbers: update_window_dims=1:*int64 inserted_window_dims=2:*int64
  scatter_dims_to_operand_dims=3:*int64 index_vector_dim=4:int64 input_batching_dims=5:*int64
  scatter_indices_batching_dims=6:*int64
ShapeProto: element_type=2:enum dimensions=3:*int64 is_dynamic_dimension=6:*bool tuple_shapes=4:*ShapeProto
  layout=5:LayoutProto
SliceDimensions: start=1:int64 limit=2:int64 stride=3:int64
SourceTarget: source=1:int64 target=2:int64
SplitConfigProto: dimension=1:int64 split_indices=2:*int64
StackFrame: file_location_id=1:int32 parent_frame_id=2:int32
StackFrameIndexProto: file_names=1:*string function_names=2:*string file_locations=3:*FileLocation
  stack_frames=4:*StackFrame
TileProto: dimensions=1:*int64
TriangularSolveOptions: left_side=1:bool lower=2:bool unit_diagonal=3:bool transpose_a=4:enum
Window: dimensions=1:*WindowDimension
WindowDimension: size=1:int64 stride=2:int64 padding_low=3:int64 padding_high=4:int64 window_dilation=5:int64
  base_dilation=6:int64 window_reversal=7:bool
"""
"""One message each; `name=number:type`, a star before the type for a repeated field. Enums are kept as numbers."""

_SCALARS = {
    "double": 1,
    "float": 2,
    "int64": 3,
    "uint64": 4,
    "int32": 5,
    "bool": 8,
    "string": 9,
    "bytes": 12,
    "uint32": 13,
    "enum": 5,
}
_MESSAGE, _ONE, _MANY = 11, 1, 3


@lru_cache(maxsize=1)
def messages() -> dict[str, Any]:
    """Message classes by name; the runtime is imported, and the descriptor built, at the first call."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    file = descriptor_pb2.FileDescriptorProto(name=f"{PACKAGE}.proto", package=PACKAGE, syntax="proto3")
    for name, fields in _table():
        message = file.message_type.add(name=name)
        for field, number, many, kind in fields:
            described = message.field.add(name=field, number=number, label=_MANY if many else _ONE)
            described.type = cast(Any, _SCALARS.get(kind, _MESSAGE))
            if kind not in _SCALARS:
                described.type_name = f".{PACKAGE}.{kind}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    names = [message.name for message in file.message_type]
    return {n: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{PACKAGE}.{n}")) for n in names}


def excerpt(wanted: Mapping[str, str]) -> str:
    """The table with only some messages (name → its fields, separated by blanks): the rest is kept as unknown."""
    rows = []
    for row in FIELDS.strip().replace("\n  ", " ").splitlines():
        name, _, fields = row.partition(": ")
        kept = [field for field in fields.split() if field.partition("=")[0] in wanted.get(name, "").split()]
        rows += [f"{name}: {' '.join(kept)}"] if kept else []
    return "\n".join(rows)


def _table() -> Iterator[tuple[str, list[tuple[str, int, bool, str]]]]:
    for row in FIELDS.strip().replace("\n  ", " ").splitlines():
        name, _, fields = row.partition(": ")
        yield name, [_field(field) for field in fields.split()]


def _field(text: str) -> tuple[str, int, bool, str]:
    name, _, rest = text.partition("=")
    number, _, kind = rest.partition(":")
    return name, int(number), kind.startswith("*"), kind.lstrip("*")
