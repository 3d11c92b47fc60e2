#define USE_PIX
#define RECORD       record_markers
#define RECORD_D3D12 record_d3d12_markers
#include "pix_markers.inc"
