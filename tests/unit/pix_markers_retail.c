#define USE_PIX_RETAIL
#define PIX_USE_GPU_MARKERS_V2 /* and the other encoding on the way */
#define RECORD                 record_markers_retail
#define RECORD_D3D12           record_d3d12_markers_retail
#include "pix_markers.inc"
