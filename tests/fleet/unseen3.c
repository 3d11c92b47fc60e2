/*
 * Programs that name their work as public engines do, written by someone who had not read the rules
 * that make signatures and groups of names. 24 faults; each has a shader, and so a pipeline, of its
 * own. The frames are made here, and scene_play.c plays them.
 *
 * Names are what the engines' public sources, manuals and captures show, from memory: Unreal's
 * RDG_EVENT_NAMEs and its D3D12 queues; Unity's ProfilingSamplers of URP and its player's events;
 * the "a:b:c" and snake_case of studios' own engines, as talks about Frostbite show them; Godot's
 * draw_command_begin_label; labels that authors of WebGPU pages give to Dawn; libplacebo's passes;
 * a game's own marks and vkd3d-proton's internal work. Content is made up.
 *
 * A name may hold what scene.h says stands in braces.
 */
#include "game.h"
#include "scene_tree.h"

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* A fault is where its shader runs; if that is in several places of a frame, in one of them. A
 * machine with it has the first alternative of the settings that the fault needs. */
static const struct row {
    const char *program, *queue, *fault, *shader, *needs, *resource;
    enum fault_kind kind;
} rows[] = {
    {"unreal_city", "gfx", "ue_software_raster", "FMicropolyRasterizeCS", "nanite", "", FAULT_HANG},
    {"unreal_city", "gfx", "ue_water_material", "TBasePassPS_M_CanalWater", "", "/Game/City/T_Foam",
     FAULT_FREED},
    {"unreal_city", "gfx", "ue_probe_trace", "FScreenProbeHardwareRayTracingRGS", "raytracing", "",
     FAULT_HANG},
    {"unreal_city", "gfx", "ue_probe_shade", "FScreenProbeShadeHitsCS", "raytracing", "",
     FAULT_HANG},
    {"unreal_city", "async", "ue_niagara_sim", "NS_Embers_SimStage", "", "", FAULT_HANG},
    {"unity_islands", "gfx", "unity_sun_caster", "Foliage_ShadowCaster_Sun", "", "", FAULT_HANG},
    {"unity_islands", "gfx", "unity_lamp_caster", "Foliage_ShadowCaster_Punctual", "lamps", "",
     FAULT_HANG},
    {"unity_islands", "gfx", "unity_outline", "Hidden_Studio_Outline_JFA", "outline",
     "_OutlineBuffer_{n:640-3840}x{n:360-2160}", FAULT_FREED},
    {"unity_islands", "gfx", "unity_fsr_easu", "Hidden_URP_EdgeAdaptiveSpatialUpsampling",
     "upscaler", "", FAULT_UNMAPPED},
    {"frost_racing", "gfx", "fb_reflection_trace", "cs_reflection_trace", "reflections", "",
     FAULT_HANG},
    {"frost_racing", "gfx", "fb_reflection_resolve", "cs_reflection_resolve", "reflections", "",
     FAULT_HANG},
    {"frost_racing", "gfx", "fb_virtual_texture", "cs_vt_bake_page", "", "vt_physical_{hex:8}",
     FAULT_FREED},
    {"frost_racing", "async", "fb_strand_sim", "cs_strand_integrate", "strands", "", FAULT_HANG},
    {"godot_dungeon", "gfx", "godot_sdfgi", "sdfgi_integrate", "sdfgi", "", FAULT_HANG},
    {"godot_dungeon", "gfx", "godot_opaque", "scene_forward_clustered_torch", "", "", FAULT_HANG},
    {"godot_dungeon", "gfx", "godot_particles", "particles_copy", "", "", FAULT_UNMAPPED},
    {"dawn_pages", "gfx", "page_fluid_pressure", "fluid.wgsl:pressure", "", "", FAULT_HANG},
    {"dawn_pages", "gfx", "page_fluid_project", "fluid.wgsl:project", "", "", FAULT_HANG},
    {"dawn_pages", "gfx", "page_globe_tiles", "globe.wgsl:vs_tile", "", "", FAULT_UNMAPPED},
    {"libplacebo_video", "gfx", "pl_peak_detect", "pl_hdr_peak", "hdr", "", FAULT_HANG},
    {"libplacebo_video", "gfx", "pl_polar_scale", "pl_sample_polar", "", "", FAULT_HANG},
    {"vkd3d_shooter", "gfx", "vkd3d_cull", "CullInstances", "", "", FAULT_HANG},
    {"vkd3d_shooter", "gfx", "vkd3d_indirect", "ForwardPlus_Indirect", "", "InstanceArgs",
     FAULT_FREED},
    {"vkd3d_shooter", "async", "vkd3d_refit", "BVH_RefitSkinned", "raytracing", "", FAULT_HANG},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* ---- what frames are made of ---- */

typedef struct frame_out frame;
typedef void part(frame *out, int index);

static int below(frame *out, int count)
{
    return game_below(&out->plan->random, count);
}

static int from_to(frame *out, int low, int high)
{
    return low + below(out, high - low + 1);
}

/* One of `count` alternatives, the same on a machine for ever. */
static int choose(const frame *out, const char *setting, int count)
{
    const struct frame_plan *plan = out->plan;
    if (strstr(rows[plan->fault - plan->scene->faults].needs, setting))
        return 0;
    uint64_t random = plan->player ^ XXH3_64bits(setting, strlen(setting));
    return game_below(&random, count);
}

static bool has(const frame *out, const char *setting, int percent)
{
    return choose(out, setting, 100) < percent;
}

static void step(frame *out, enum node_kind kind, const struct node *node, const char *text,
                 int index)
{
    struct step made = {.kind = kind, .node = node};
    if (text)
        frame_text(out->plan, text, index, made.text);
    steps_add(out->steps, &made);
}

static void begin(frame *out, const char *text, int index)
{
    step(out, NODE_SCOPE, NULL, text, index);
}

static void end(frame *out)
{
    step(out, NODE_LIST, NULL, NULL, 0);
}

static void mark(frame *out, const char *text, int index)
{
    step(out, NODE_MARKER, NULL, text, index);
}

/* A fault's node, or one of all the shaders that do no harm. */
static const struct node *node_of(const struct scene *scene, const char *shader)
{
    static struct node harmless[256];
    for (int i = 0; i < scene->fault_count; i++)
        if (strcmp(scene->faults[i].node->text, shader) == 0)
            return scene->faults[i].node;
    struct node *node = harmless;
    while (node->text[0] && strcmp(node->text, shader) != 0)
        if (++node == harmless + 256)
            abort();
    snprintf(node->text, sizeof node->text, "%s", shader);
    return node;
}

static void compute(frame *out, const char *shader)
{
    step(out, NODE_DISPATCH, node_of(out->plan->scene, shader), NULL, 0);
}

static void draw(frame *out, const char *shader)
{
    step(out, NODE_DRAW, node_of(out->plan->scene, shader), NULL, 0);
}

static void copy(frame *out)
{
    step(out, NODE_COPY, node_of(out->plan->scene, "copy"), NULL, 0);
}

/* A scope with one shader. */
static void computed(frame *out, const char *text, int index, const char *shader)
{
    begin(out, text, index);
    compute(out, shader);
    end(out);
}

static void drawn(frame *out, const char *text, int index, const char *shader)
{
    begin(out, text, index);
    for (int i = below(out, 3); i >= 0; i--)
        draw(out, shader);
    end(out);
}

static void copied(frame *out, const char *text, int index)
{
    begin(out, text, index);
    copy(out);
    end(out);
}

/* Passes that do not depend on each other. */
static void in_any_order(frame *out, part *const *parts, int count, int index)
{
    int order[16] = {0};
    for (int i = 0; i < count; i++) {
        const int at = below(out, i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    for (int i = 0; i < count; i++)
        parts[order[i]](out, index);
}
#define IN_ANY_ORDER(out, index, ...)                                                              \
    in_any_order(out, (part *const[]){__VA_ARGS__},                                                \
                 (int)(sizeof((part *const[]){__VA_ARGS__}) / sizeof(part *)), index)

/* ---- Unreal: r.ShowMaterialDrawEvents is on; passes of the render graph under "Scene" ---- */

static void ue_raster(frame *out, const char *pass, int view)
{
    begin(out, pass, view);
    computed(out, "InstanceCull", 0, "FInstanceCull_CS");
    computed(out, "NodeAndClusterCull", 0, "FNodeAndClusterCull_CS");
    drawn(out, "HW Rasterize", 0, "FHWRasterizePS");
    computed(out, "SW Rasterize", 0, "FMicropolyRasterizeCS");
    end(out);
}

static void ue_nanite(frame *out, int view)
{
    if (!has(out, "nanite", 60))
        return;
    begin(out, "Nanite::VisBuffer", 0);
    begin(out, "Nanite::DrawGeometry", 0);
    ue_raster(out, has(out, "two_passes", 80) ? "MainPass" : "NoOcclusionPass", view);
    if (has(out, "two_passes", 80)) {
        computed(out, "BuildPreviousOccluderHZB(ViewId={i})", view, "FHZBBuildCS");
        ue_raster(out, "PostPass", view);
    }
    end(out);
    computed(out, "Nanite::EmitDepthTargets", 0, "FEmitSceneDepthPS");
    end(out);
}

static void ue_shadows(frame *out, int view)
{
    (void)view;
    begin(out, "ShadowDepths", 0);
    for (int i = 0, n = from_to(out, 1, 3); i < n; i++) {
        begin(out, "Atlas{i} {player:2048x2048|4096x4096|8192x4096}", i);
        for (int k = 0, m = from_to(out, 1, 5); k < m; k++)
            drawn(out,
                  "{each:Sun_Evening.DirectionalLight_UAID_{HEX:16} Split:{n:0-3}|"
                  "BP_StreetLamp_C_{n:1-900}.SpotLight|SpotLightActor{n:0-40}.LightComponent0}",
                  k, "FShadowDepthPS");
        end(out);
    }
    end(out);
}

static void ue_base_pass(frame *out, int view)
{
    static const char *const content[] = {"M_Brick_Worn SM_Facade_{n:1-40}",
                                          "MI_Asphalt_{hex:6} SM_Road_Straight",
                                          "WorldGridMaterial {word}",
                                          "M_Master_Vehicle_Inst_{n:1-30} SK_Sedan",
                                          "M_Foliage_Plane HISM_{word}_{n:0-99}"};
    begin(out, "BasePassParallel", 0);
    begin(out, "View{i} {n:1280-3840}x{n:720-2160}", view);
    for (int n = from_to(out, 2, 8), bad = below(out, n), i = 0; i < n; i++) {
        if (i == bad)
            drawn(out, "M_CanalWater_Inst {player:SM_Canal_01|SM_Basin}{each:|_LOD{n:0-3}}", i,
                  "TBasePassPS_M_CanalWater");
        drawn(out, content[below(out, 5)], i, "TBasePassPS_M_Master");
    }
    end(out);
    end(out);
}

/* Rays or distance fields; the rays' scope has two shaders that hang. */
static void ue_lumen(frame *out, int view)
{
    if (!has(out, "lumen", 85) && !has(out, "raytracing", 40))
        return;
    begin(out, "DiffuseIndirectAndAO", 0);
    begin(out, "LumenScreenProbeGather", 0);
    computed(out, "UniformPlacement DownsampleFactor={player:16|32}", view,
             "FScreenProbeUniformCS");
    for (int i = 0, n = from_to(out, 0, 3); i < n; i++)
        computed(out, "AdaptivePlacement {i}", i, "FScreenProbeAdaptiveCS");
    computed(out, "TraceScreen {n:60-240}x{n:30-135}", 0, "FScreenProbeTraceScreenCS");
    if (has(out, "raytracing", 40)) {
        begin(out, "HardwareRayTracing {player:[default]|[far-field]|(inline) [default]}", 0);
        compute(out, "FScreenProbeCompactTracesCS");
        compute(out, "FScreenProbeHardwareRayTracingRGS");
        compute(out, "FScreenProbeShadeHitsCS");
        end(out);
    } else {
        computed(out, "TraceMeshSDFs", 0, "FScreenProbeTraceMeshSDFsCS");
        computed(out, "TraceVoxels", 0, "FScreenProbeTraceVoxelsCS");
    }
    for (int i = 0, n = has(out, "epic", 50) ? 3 : 1; i < n; i++)
        computed(out, "FilterRadianceWithGather", i, "FScreenProbeSpatialFilterCS");
    end(out);
    end(out);
}

static void ue_post(frame *out, int view)
{
    static const char *const upscalers[] = {
        "DLSS SR {n:960-2560}x{n:540-1440} -> {player:2560x1440|3840x2160}",
        "FidelityFX Super Resolution 3", "TemporalSuperResolution({player:Medium|High|Epic})",
        "TAA Main {n:1280-2560}x{n:720-1440}"};
    const int upscaler = choose(out, "upscaler", 4);
    begin(out, "PostProcessing", view);
    if (has(out, "depth_of_field", 50))
        computed(out, "DOF(Alpha=No)", 0, "FDiaphragmDOFGatherCS");
    computed(out, upscalers[upscaler], 0, upscaler == 0 ? "ngx_dlss" : "FUpscaleCS");
    if (has(out, "motion_blur", 50))
        computed(out, "MotionBlur", 0, "FMotionBlurFilterCS");
    for (int i = from_to(out, 4, 6); i > 0; i--)
        computed(out, "BloomSetup {n:32-1920}x{n:18-1080}", i, "FBloomGaussianCS");
    drawn(out, "Tonemapper(PS GammaOnly={player:0|1}) {n:1280-3840}x{n:720-2160}", 0, "FTonemapPS");
    end(out);
}

static void ue_graphics(frame *out)
{
    begin(out, "Frame {frame}", 0);
    if (below(out, 2))
        computed(out, "RenderGraphExecute - SlateUI Render Target", 0, "FSlateClearCS");
    begin(out, "RenderGraphExecute - {player:/ViewFamily|ViewFamilies}", 0);
    begin(out, "Scene", 0);
    if (has(out, "captures", 40))
        drawn(out, "SceneCapture {each:BP_Mirror_C_{n:0-9}|BP_SecurityCam_{HEX:8}}", 0,
              "TBasePassPS_M_Master");
    for (int view = 0, views = 1 + (choose(out, "split_screen", 4) == 3); view < views; view++) {
        IN_ANY_ORDER(out, view, ue_nanite, ue_shadows);
        ue_base_pass(out, view);
        ue_lumen(out, view);
        drawn(out, "Translucency({player:AfterDOF|Standard})", view, "TTranslucencyPS");
    }
    end(out);
    ue_post(out, 0);
    end(out);
    drawn(out, "SlateUI Title = {player:City|City (64-bit Development SM6)}", 0, "FSlateElementPS");
    end(out);
}

/* The emitter that fails is one among those of the level. */
static void ue_async(frame *out)
{
    begin(out, "AsyncCompute Frame {frame}", 0);
    begin(out, "Niagara::ExecuteTicks(Stage={each:PreInitViews|PostOpaque})", 0);
    for (int n = from_to(out, 1, 6), bad = below(out, n), i = 0; i < n; i++) {
        if (i == bad)
            computed(out, "NS_Embers/{each:Sparks|Ash} ParticleUpdate NumInstances={n:64-90000}", i,
                     "NS_Embers_SimStage");
        computed(out, "NS_{word}/{each:Core|Trail} ParticleUpdate NumInstances={n:1-5000}", i,
                 "NS_Generic_Sim");
    }
    end(out);
    if (has(out, "lumen", 85))
        computed(out, "LumenSceneUpdate: {n:1-90} card captures {n:0-3}.{n:100-999}M texels", 0,
                 "FLumenCardCS");
    end(out);
}

static void ue_copy(frame *out)
{
    for (int i = below(out, 4); i > 0; i--)
        copied(out, "{each:T_{word}_N|SM_{word}} MipIn /Game/{word}/{word}.uasset", i);
}

/* ---- Unity: the URP camera loop; the same "Shadows.Draw" below the sun and below lamps ---- */

static void unity_sun(frame *out, int camera)
{
    (void)camera;
    begin(out, "MainLightShadow", 0);
    for (int i = 0, n = choose(out, "cascades", 4) + 1; i < n; i++)
        drawn(out, "Shadows.Draw", i, "Foliage_ShadowCaster_Sun");
    end(out);
}

static void unity_lamps(frame *out, int camera)
{
    (void)camera;
    if (!has(out, "lamps", 60))
        return;
    begin(out, "AdditionalLightsShadow", 0);
    for (int i = from_to(out, 1, 6); i > 0; i--)
        drawn(out, "Shadows.Draw", i, "Foliage_ShadowCaster_Punctual");
    end(out);
}

static void unity_skinning(frame *out, int camera)
{
    (void)camera;
    for (int i = below(out, 4); i > 0; i--)
        computed(out, "MeshSkinning.Skin {word}(Clone)", i, "Internal-Skinning");
}

static void unity_opaque(frame *out)
{
    begin(out, "DrawOpaqueObjects", 0);
    begin(out, has(out, "srp_batcher", 70) ? "RenderLoopNewBatcher.Draw" : "RenderLoop.Draw", 0);
    for (int i = from_to(out, 1, 9); i > 0; i--) {
        if (has(out, "frame_debugger", 15))
            mark(out, "Draw Mesh {word} ({n:0-99}) Assets/{word}/{hex:32}.prefab", i);
        draw(out, "Lit_ForwardLit");
    }
    end(out);
    end(out);
}

/* ProfilingScopes of features that a studio added; any of them may be off. */
static void unity_features(frame *out)
{
    if (has(out, "ssao", 50))
        computed(out, "SSAO", 0, "Hidden_URP_SSAO");
    if (has(out, "outline", 55)) {
        begin(out, "Outline Feature ({player:Selected|All} Renderers)", 0);
        for (int i = 0, n = from_to(out, 5, 9); i < n; i++)
            computed(out, "JFA Step {i}", i, "Hidden_Studio_Outline_JFA");
        end(out);
    }
    if (has(out, "grass", 55))
        computed(out, "Interactive Grass [{n:100-99999} blades]", 0, "Studio_Grass");
}

static void unity_camera(frame *out, int camera)
{
    begin(out,
          camera ? "UniversalRenderPipeline.RenderSingleCameraInternal: {each:Minimap Camera|"
                   "Portrait_{word}|ReflectionProbe {n:1-30}}"
                 : "UniversalRenderPipeline.RenderSingleCameraInternal: {player:Main Camera|"
                   "PlayerCam(Clone)}",
          camera);
    IN_ANY_ORDER(out, camera, unity_sun, unity_lamps, unity_skinning);
    if (has(out, "depth_prepass", 40))
        drawn(out, "DepthNormalPrepass", 0, "Lit_DepthNormals");
    unity_opaque(out);
    drawn(out, "Camera.RenderSkybox", 0, "Skybox_Procedural");
    unity_features(out);
    drawn(out, "DrawTransparentObjects", 0, "Lit_Transparent");
    end(out);
}

static void unity_graphics(frame *out)
{
    static const char *const upscalers[] = {"FSR", "STP", "DLSS2", "UpsampleBilinear"};
    const int upscaler = choose(out, "upscaler", 4);
    begin(out, "PlayerLoop {frame}", 0);
    begin(out, "Inl_UniversalRenderTotal", 0);
    for (int i = 1, n = from_to(out, 0, 3); i <= n; i++)
        unity_camera(out, i);
    unity_camera(out, 0);
    begin(out, "Render PostProcessing Effects", 0);
    for (int i = 0, n = from_to(out, 3, 8); has(out, "bloom", 70) && i < n; i++)
        drawn(out, "Bloom", i, "Hidden_URP_Bloom");
    drawn(out, "UberPostProcess", 0, "Hidden_URP_UberPost");
    drawn(out, upscalers[upscaler], 0,
          upscaler ? "Hidden_URP_Upscale" : "Hidden_URP_EdgeAdaptiveSpatialUpsampling");
    end(out);
    end(out);
    drawn(out, "UGUI.Rendering.RenderOverlays Canvas {word}", 0, "UI_Default");
    end(out);
}

static void unity_async(frame *out)
{
    for (int i = from_to(out, 1, 4); i > 0; i--)
        computed(out, "VFX.Update {each:Rain|Fireflies|{word}} (Asset {guid})", i, "VFX_Update");
}

/* ---- a studio's engine: snake_case, colons, a view in front of each pass ---- */

static void fb_shadow(frame *out, int view)
{
    for (int i = 0, n = choose(out, "shadow_quality", 3) + 2; i < n; i++)
        drawn(out, view ? "mirror_view:shadow:sun:cascade_{i}" : "main_view:shadow:sun:cascade_{i}",
              i, "vs_shadow");
}

static void fb_gbuffer(frame *out, int view)
{
    begin(out, view ? "mirror_view:gbuffer" : "main_view:gbuffer", 0);
    for (int i = from_to(out, 1, 6); i > 0; i--)
        drawn(out,
              "{each:opaque:chunk_{n:0-4000}|car:{word}:lod{n:0-3}|decal:skid_{hex:8}|"
              "foliage:cell_{n:0-99}_{n:0-99}}",
              i, "ps_gbuffer");
    end(out);
}

/* By rays or on screen, next to each other; both shaders of the first one's scope may fail. */
static void fb_reflections(frame *out, int view)
{
    (void)view;
    begin(out, "main_view:lighting", 0);
    if (choose(out, "reflections", 3) == 0) {
        begin(out, "reflections:rt:{player:half|full|quarter}_res", 0);
        for (int i = from_to(out, 1, 2); i > 0; i--)
            compute(out, "cs_reflection_trace");
        compute(out, "cs_reflection_resolve");
        end(out);
    } else if (choose(out, "reflections", 3) == 1) {
        computed(out, "reflections:ssr:hi_z", 0, "cs_ssr");
    }
    computed(out, "tiles:classify:{n:1000-32000}", 0, "cs_classify");
    computed(out, "tiles:shade", 0, "cs_shade");
    end(out);
}

static void fb_terrain(frame *out, int view)
{
    (void)view;
    begin(out, "terrain:virtual_texture", 0);
    for (int i = from_to(out, 1, 7); i > 0; i--)
        computed(out,
                 "{each:bake_page:mip_{n:0-9}:{n:0-255}x{n:0-255}|"
                 "track/{word}/layer_{hex:8}.vt}",
                 i, "cs_vt_bake_page");
    end(out);
}

static void fb_graphics(frame *out)
{
    begin(out, "frame:{frame}", 0);
    begin(out, "world_render:{player:grand_prix|rally}:{word}", 0);
    fb_terrain(out, 0);
    for (int view = 0, views = 1 + has(out, "mirror", 50); view < views; view++)
        IN_ANY_ORDER(out, view, fb_shadow, fb_gbuffer);
    fb_reflections(out, 0);
    end(out);
    begin(out, "post_process", 0);
    if (has(out, "motion_blur", 60))
        computed(out, "motion_blur:tile_max", 0, "cs_tile_max");
    computed(out, "{player:taa:resolve|dlss:evaluate|fsr2:accumulate|xess:execute}", 0, "cs_aa");
    end(out);
    drawn(out, "ui:hud:{each:speedometer|standings|{word}}", 0, "ps_ui");
    end(out);
}

static void fb_async(frame *out)
{
    begin(out, "async:{frame}", 0);
    if (has(out, "ambient_occlusion", 60))
        computed(out, "gtao:{player:half|full}_res", 0, "cs_gtao");
    if (has(out, "strands", 35)) {
        begin(out, "strands:groom_{word}:{n:100-40000}", 0);
        for (int i = 0, n = from_to(out, 1, 4); i < n; i++)
            computed(out, "substep_{i}", i, "cs_strand_integrate");
        computed(out, "tessellate", 0, "cs_strand_tessellate");
        end(out);
    }
    end(out);
}

static void fb_copy(frame *out)
{
    for (int i = from_to(out, 0, 3); i > 0; i--)
        copied(out, "streaming:{each:texture|mesh|bvh}:{hex:16}:chunk_{n:0-30}", i);
}

/* ---- Godot: labels of the clustered renderer, one queue for drawing, one for uploads ---- */

static void godot_lights(frame *out, int viewport)
{
    (void)viewport;
    begin(out, "Render Shadows", 0);
    for (int i = from_to(out, 1, 5); i > 0; i--)
        drawn(out, "{each:Render OmniLight3D Shadow|Render SpotLight3D Shadow}", i,
              "scene_forward_clustered_shadow");
    end(out);
}

static void godot_gi(frame *out, int viewport)
{
    (void)viewport;
    if (choose(out, "sdfgi", 3) == 0) {
        begin(out, "SDFGI Update Probes", 0);
        for (int i = 0, n = choose(out, "cascades", 4) + 2; i < n; i++)
            compute(out, "sdfgi_integrate");
        end(out);
    } else if (choose(out, "sdfgi", 3) == 1) {
        computed(out, "VoxelGI Dynamic Update {n:0-7}", 0, "voxel_gi");
    }
}

static void godot_viewport(frame *out, int viewport)
{
    begin(out, viewport ? "Render Viewport {n:1-9}" : "Render Viewport 0", viewport);
    begin(out, "Render 3D Scene", 0);
    IN_ANY_ORDER(out, viewport, godot_lights, godot_gi);
    if (has(out, "prepass", 70))
        drawn(out, "Render Depth Pre-Pass", 0, "scene_forward_clustered_depth");
    if (has(out, "ssao", 50))
        computed(out, "Process Screen-Space Ambient Occlusion", 0, "ssao");
    begin(out, "Render Opaque Pass", 0);
    for (int n = from_to(out, 1, 7), bad = below(out, n), i = 0; i < n; i++)
        draw(out, i == bad ? "scene_forward_clustered_torch" : "scene_forward_clustered");
    end(out);
    drawn(out, "Draw Sky", 0, "sky");
    drawn(out, "Render 3D Transparent Pass", 0, "scene_forward_clustered_alpha");
    if (has(out, "fsr2", 30))
        computed(out, "FSR2 Upscale", 0, "fsr2_accumulate");
    drawn(out, "Tonemap", 0, "tonemap");
    end(out);
    end(out);
}

static void godot_graphics(frame *out)
{
    begin(out, "Frame {n:0-2}", 0);
    if (below(out, 2))
        computed(out, "Update Skeletons", 0, "skeleton");
    begin(out, "Update GPUParticles3D", 0);
    for (int i = from_to(out, 1, 5); i > 0; i--) {
        begin(out, "{each:Torch|Bats|@GPUParticles3D@{n:2-9999}|{word}}", i);
        compute(out, "particles_process");
        compute(out, "particles_copy");
        end(out);
    }
    end(out);
    for (int i = from_to(out, 0, 2); i >= 0; i--)
        godot_viewport(out, i);
    drawn(out, "Render Canvas Items", 0, "canvas");
    drawn(out, "Blit to Screen {n:0-1}", 0, "blit");
    end(out);
}

static void godot_copy(frame *out)
{
    for (int i = below(out, 3); i > 0; i--)
        copied(out, "Transfer Worker {n:0-7}", i);
}

/* ---- Dawn: pages that share a process; their authors gave the labels, or none ---- */

static void page_fluid(frame *out, int index)
{
    (void)index;
    begin(out, "{player:fluid sim|Fluid encoder|CommandEncoder_fluid}", 0);
    computed(out, "advect pass", 0, "fluid.wgsl:advect");
    begin(out, "{player:pressure|jacobi} solve {n:128-1024}x{n:128-1024}", 0);
    for (int i = from_to(out, 2, 10); i > 0; i--)
        compute(out, "fluid.wgsl:pressure");
    compute(out, "fluid.wgsl:project");
    end(out);
    end(out);
}

static void page_globe(frame *out, int index)
{
    (void)index;
    begin(out, "globe frame #{frame}", 0);
    begin(out, "RenderPass \"main\"", 0);
    for (int i = from_to(out, 1, 8); i > 0; i--)
        drawn(out, "{each:tile {n:0-18}/{n:0-9999}/{n:0-9999}|https://tiles.example/{hex:10}.pbf}",
              i, "globe.wgsl:vs_tile");
    drawn(out, "labels", 0, "globe.wgsl:fs_label");
    end(out);
    end(out);
}

static void page_unlabeled(frame *out, int index)
{
    (void)index;
    for (int i = below(out, 4); i > 0; i--) {
        begin(out, "{each:CommandEncoder_unlabeled|three.js r{n:150-170}|bundle-{hex:6}}", i);
        drawn(out, "RenderPassEncoder_unlabeled", i, "unlabeled_vs_fs");
        end(out);
    }
}

static void dawn_graphics(frame *out)
{
    begin(out, "Dawn_Queue Submit {n:100-99999}", 0);
    IN_ANY_ORDER(out, 0, page_fluid, page_globe, page_unlabeled);
    if (has(out, "timestamps", 30))
        computed(out, "Dawn_TimestampCompute", 0, "dawn_timestamp");
    end(out);
    drawn(out, "SkiaRenderer::DrawRenderPass {n:1-9}", 0, "skia_quad");
}

static void dawn_copy(frame *out)
{
    for (int i = below(out, 3); i > 0; i--)
        copied(out, "Dawn_DynamicUploaderStaging", i);
}

/* ---- libplacebo: few names, and general ones ---- */

static void pl_graphics(frame *out)
{
    begin(out, "pl_render_image", 0);
    for (int i = 0, n = from_to(out, 1, 3); i < n; i++) {
        begin(out, "plane {i}", i);
        if (has(out, "deband", 50))
            draw(out, "pl_deband");
        draw(out, "pl_sample_polar");
        end(out);
    }
    begin(out, "{player:color mapping|main pass}", 0);
    if (has(out, "hdr", 50))
        compute(out, "pl_hdr_peak");
    draw(out, "pl_color_map");
    if (has(out, "grain", 30))
        draw(out, "pl_film_grain");
    end(out);
    if (below(out, 2))
        drawn(out, "osd", 0, "pl_overlay");
    end(out);
}

static void pl_copy(frame *out)
{
    for (int i = from_to(out, 1, 3); i > 0; i--)
        copied(out, "pl_upload_plane", i);
}

/* ---- vkd3d-proton: a game's own marks, and work of the layer between them ---- */

static void vkd3d_shadows(frame *out, int view)
{
    begin(out, "Shadows view {i}", view);
    for (int i = 0, n = from_to(out, 1, 4); i < n; i++) {
        computed(out, "vkd3d_meta_clear_{player:image|buffer}", i, "vkd3d_cs_clear");
        drawn(out, "CSM {i}", i, "Shadow_VS");
    }
    end(out);
}

static void vkd3d_opaque(frame *out, int view)
{
    begin(out, "Opaque view {i}", view);
    computed(out, "Cull Instances", 0, "CullInstances");
    begin(out, "ExecuteIndirect (max {n:64-4096})", 0);
    if (has(out, "indirect_patch", 40))
        compute(out, "vkd3d_execute_indirect_patch");
    for (int n = from_to(out, 1, 6), bad = below(out, n), i = 0; i < n; i++) {
        mark(out, "{each:prop_{word}|weapon_{word}_{n:1-9}|models/{word}/{hex:8}.mdl}", i);
        draw(out, i == bad ? "ForwardPlus_Indirect" : "ForwardPlus");
    }
    end(out);
    end(out);
}

static void vkd3d_graphics(frame *out)
{
    begin(out, "Frame#{frame}", 0);
    for (int view = 0, n = 1 + has(out, "scope_view", 40); view < n; view++)
        IN_ANY_ORDER(out, view, vkd3d_shadows, vkd3d_opaque);
    computed(out, "{player:FSR 2.2|DLSS|XeSS|TAA} ({n:50-100}%)", 0, "Upscale_CS");
    drawn(out, "HUD", 0, "Hud_PS");
    end(out);
}

static void vkd3d_async(frame *out)
{
    begin(out, "Async Compute", 0);
    if (has(out, "raytracing", 40)) {
        begin(out, "BuildRaytracingAccelerationStructure", 0);
        for (int i = from_to(out, 1, 5); i > 0; i--)
            computed(out, "Refit {each:player_{n:0-63}|npc_{word}|vehicle_{hex:4}}", i,
                     "BVH_RefitSkinned");
        computed(out, "TLAS {n:100-9000} instances", 0, "BVH_TopLevel");
        end(out);
    }
    computed(out, "Light Clusters {n:16-32}x{n:9-18}x{player:24|32}", 0, "ClusterLights");
    end(out);
}

static void vkd3d_copy(frame *out)
{
    for (int i = below(out, 3); i > 0; i--)
        copied(out, "DirectStorage {each:textures|models}/{word}_{hex:8}.pak", i);
}

/* ---- the scene ---- */

typedef void make_frame(frame *out);

static const struct {
    const char *program, *queue, *queue_name, *list_name;
    make_frame *make;
    int type; /* 0: direct, 1: compute, 2: copy */
} lists[] = {
    {"unreal_city", "gfx", "Graphics Queue 0", "ParallelCommandList{i}", ue_graphics, 0},
    {"unreal_city", "async", "Compute Queue 0", "AsyncComputeList", ue_async, 1},
    {"unreal_city", "copy", "Copy Queue 0", "CopyList", ue_copy, 2},
    {"unity_islands", "gfx", "Unity Graphics", "Unity Gfx {n:0-99}", unity_graphics, 0},
    {"unity_islands", "async", "Unity AsyncCompute", "Unity Async", unity_async, 1},
    {"frost_racing", "gfx", "queue:graphics", "cl:gfx:{i}", fb_graphics, 0},
    {"frost_racing", "async", "queue:async", "cl:async", fb_async, 1},
    {"frost_racing", "copy", "queue:dma", "cl:dma", fb_copy, 2},
    {"godot_dungeon", "gfx", "Main Queue", "Command Buffer {i}", godot_graphics, 0},
    {"godot_dungeon", "copy", "Transfer Queue", "Transfer", godot_copy, 2},
    {"dawn_pages", "gfx", "Dawn_Queue", "Dawn_CommandList", dawn_graphics, 0},
    {"dawn_pages", "copy", "Dawn_CopyQueue", "Dawn_Copy", dawn_copy, 2},
    {"libplacebo_video", "gfx", "main queue", "cmd {i}", pl_graphics, 0},
    {"libplacebo_video", "copy", "transfer queue", "upload", pl_copy, 2},
    {"vkd3d_shooter", "gfx", "Direct", "Render thread {n:0-7}", vkd3d_graphics, 0},
    {"vkd3d_shooter", "async", "Async", "Compute", vkd3d_async, 1},
    {"vkd3d_shooter", "copy", "DMA", "Streaming", vkd3d_copy, 2},
};

static struct node *add(struct scene *scene, struct node *parent, enum node_kind kind,
                        const char *name, const char *text)
{
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        abort();
    node->kind = kind;
    node->number = scene->node_count++;
    node->parent = parent;
    snprintf(node->name, sizeof node->name, "%s", name);
    snprintf(node->text, sizeof node->text, "%s", text);
    if (parent->last)
        parent->last->next = node;
    else
        parent->first = node;
    return parent->last = node;
}

static void add_faults(struct scene *scene, struct node *list, const struct node *program)
{
    for (int i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].program, program->name) != 0 || strcmp(rows[i].queue, list->name) != 0)
            continue;
        struct node *node = add(scene, list, NODE_DISPATCH, "", rows[i].shader);
        struct scene_fault *fault = &scene->faults[i];
        snprintf(node->resource, sizeof node->resource, "%s", rows[i].resource);
        snprintf(fault->name, sizeof fault->name, "%s", rows[i].fault);
        fault->kind = rows[i].kind;
        fault->node = node;
        fault->program = program;
    }
}

struct scene *unseen3_scene(void)
{
    struct scene *scene = calloc(1, sizeof *scene);
    if (!scene)
        abort();
    scene->fault_count = ROWS;
    struct node *program = NULL;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (!program || strcmp(program->name, lists[i].program) != 0)
            program = add(scene, &scene->root, NODE_PROGRAM, lists[i].program, "");
        add(scene, program, NODE_QUEUE, lists[i].queue, lists[i].queue_name)->low = lists[i].type;
        struct node *list = add(scene, program, NODE_LIST, lists[i].queue, lists[i].list_name);
        list->make = lists[i].make;
        add_faults(scene, list, program);
    }
    return scene;
}
