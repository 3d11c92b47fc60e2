// WebGPU on Dawn's D3D12 backend, as a program that knows nothing of the emulator. No shader is executed: what it expects
// is what clears, copies, resolves and maps do.
//   node webgpu.mjs TAP_FILE                what it finds
//   node webgpu.mjs TAP_FILE --until-lost   draws frames until the device is lost, and says why
import { create, globals } from 'webgpu';
import { run } from './tap.mjs';

Object.assign(globalThis, globals);

const SIZE = 8;
// The bytes of a texel that was cleared to (1, 0, 1, 1), as often as they repeat; a number that all of them are otherwise.
const FORMATS = {
  r8unorm: [255], r8uint: [1], r8sint: [1], r16uint: [1, 0], r16sint: [1, 0], r16float: [0, 60], rg8unorm: [255, 0],
  rg8uint: [1, 0], rg8sint: [1, 0], r32uint: [1, 0, 0, 0], r32sint: [1, 0, 0, 0], r32float: [0, 0, 128, 63],
  rg16uint: [1, 0, 0, 0], rg16sint: [1, 0, 0, 0], rg16float: [0, 60, 0, 0], rgba8unorm: [255, 0, 255, 255],
  'rgba8unorm-srgb': [255, 0, 255, 255], rgba8uint: [1, 0, 1, 1], rgba8sint: [1, 0, 1, 1],
  bgra8unorm: [255, 0, 255, 255], 'bgra8unorm-srgb': [255, 0, 255, 255], rgb10a2unorm: [255, 3, 240, 255],
  rgb10a2uint: [1, 0, 16, 64], rg11b10ufloat: [192, 3, 0, 120], rg32uint: [1, 0, 0, 0, 0, 0, 0, 0],
  rg32sint: [1, 0, 0, 0, 0, 0, 0, 0], rg32float: [0, 0, 128, 63, 0, 0, 0, 0],
  rgba16uint: [1, 0, 0, 0, 1, 0, 1, 0], rgba16sint: [1, 0, 0, 0, 1, 0, 1, 0], rgba16float: [0, 60, 0, 0, 0, 60, 0, 60],
  rgba32uint: [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
  rgba32sint: [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
  rgba32float: [0, 0, 128, 63, 0, 0, 0, 0, 0, 0, 128, 63, 0, 0, 128, 63],
};
const COLOUR = { r: 1, g: 0, b: 1, a: 1 };

async function open() {
  const gpu = create(['backend=d3d12']);
  const adapter = await gpu.requestAdapter();
  const optional = ['rg11b10ufloat-renderable', 'timestamp-query', 'depth32float-stencil8', 'texture-compression-bc'];
  const device = await adapter.requestDevice({
    label: 'the device',
    requiredFeatures: optional.filter((name) => adapter.features.has(name)),
  });
  return { gpu, adapter, device };
}

// The bytes of one row of a texture's first mip.
async function read(device, texture, row, bytes) {
  const buffer = device.createBuffer({ size: 256 * SIZE, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: 256 }, [SIZE, SIZE]);
  device.queue.submit([encoder.finish()]);
  await buffer.mapAsync(GPUMapMode.READ);
  const found = [...new Uint8Array(buffer.getMappedRange(256 * row, Math.ceil(bytes / 4) * 4))].slice(0, bytes);
  buffer.destroy();
  return found;
}

function same(a, b) {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

function clear(encoder, texture, resolveTarget) {
  encoder.beginRenderPass({
    label: 'clear',
    colorAttachments: [{
      view: texture.createView(), clearValue: COLOUR, loadOp: 'clear', storeOp: 'store',
      resolveTarget: resolveTarget && resolveTarget.createView(),
    }],
  }).end();
}

async function buffers(tap, device) {
  const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const first = device.createBuffer({ label: 'first', size: 1024, usage, mappedAtCreation: true });
  new Uint32Array(first.getMappedRange()).forEach((_, i, words) => { words[i] = i; });
  first.unmap();
  const second = device.createBuffer({ label: 'second', size: 1024, usage });
  const result = device.createBuffer({ size: 1024, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  device.queue.writeBuffer(second, 512, new Uint32Array([7, 8, 9]));
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(first, 64, second, 0, 256);
  encoder.clearBuffer(second, 16, 16);
  encoder.copyBufferToBuffer(second, 0, result, 0, 1024);
  device.queue.submit([encoder.finish()]);
  await result.mapAsync(GPUMapMode.READ);
  const words = new Uint32Array(result.getMappedRange());
  tap.ok(words[0] === 16 && words[3] === 19 && words[8] === 24 && words[63] === 79, 'a buffer is copied');
  tap.ok(words[4] === 0 && words[7] === 0, 'a part of a buffer is cleared');
  tap.ok(words[128] === 7 && words[130] === 9 && words[131] === 0, 'a buffer is written by the queue');
}

async function formats(tap, device) {
  for (const [format, texel] of Object.entries(FORMATS)) {
    const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC | GPUTextureUsage.COPY_DST;
    const from = device.createTexture({ label: `from ${format}`, size: [SIZE, SIZE], format, usage });
    const to = device.createTexture({ label: `to ${format}`, size: [SIZE, SIZE], format, usage });
    const encoder = device.createCommandEncoder();
    clear(encoder, from);
    encoder.copyTextureToTexture({ texture: from }, { texture: to }, [SIZE, SIZE]);
    device.queue.submit([encoder.finish()]);
    const found = await read(device, to, SIZE - 1, texel.length * 2);
    tap.ok(same(found, [...texel, ...texel]), `${format}: cleared and copied: ${found}`);
    from.destroy();
    to.destroy();
  }
}

async function samples(tap, device) {
  const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
  for (const format of ['rgba8unorm', 'bgra8unorm', 'rgba16float']) {
    const four = device.createTexture({
      size: [SIZE, SIZE], format, sampleCount: 4, usage: GPUTextureUsage.RENDER_ATTACHMENT,
    });
    const one = device.createTexture({ size: [SIZE, SIZE], format, usage });
    const encoder = device.createCommandEncoder();
    clear(encoder, four, one);
    device.queue.submit([encoder.finish()]);
    const texel = FORMATS[format];
    tap.ok(same(await read(device, one, 3, texel.length), texel), `${format}: four samples are resolved`);
  }
  const depth = device.createTexture({
    size: [SIZE, SIZE], format: 'depth32float', usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC,
  });
  const encoder = device.createCommandEncoder();
  encoder.beginRenderPass({
    colorAttachments: [],
    depthStencilAttachment: { view: depth.createView(), depthClearValue: 1, depthLoadOp: 'clear', depthStoreOp: 'store' },
  }).end();
  device.queue.submit([encoder.finish()]);
  tap.ok(same(await read(device, depth, 0, 4), [0, 0, 128, 63]), 'depth is cleared and copied');
}

function scene(device) {
  const module = device.createShaderModule({
    label: 'triangle',
    code: `@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
             return vec4f(f32(i % 2u), f32(i / 2u), 0, 1);
           }
           @fragment fn fs() -> @location(0) vec4f { return vec4f(1, 0, 1, 1); }`,
  });
  const compute = device.createShaderModule({
    code: `@group(0) @binding(0) var<storage, read_write> data: array<u32>;
           @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { data[id.x] += 1u; }`,
  });
  const pipeline = device.createRenderPipeline({
    label: 'triangles', layout: 'auto', vertex: { module },
    fragment: { module, targets: [{ format: 'rgba8unorm' }] },
  });
  const particles = device.createComputePipeline({ label: 'particles', layout: 'auto', compute: { module: compute } });
  const data = device.createBuffer({ label: 'particle data', size: 1024, usage: GPUBufferUsage.STORAGE });
  const group = device.createBindGroup({
    layout: particles.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer: data } }],
  });
  const bundle = device.createRenderBundleEncoder({ label: 'bundle', colorFormats: ['rgba8unorm'] });
  bundle.pushDebugGroup('in the bundle');
  bundle.setPipeline(pipeline);
  bundle.draw(3);
  bundle.popDebugGroup();
  const target = device.createTexture({
    label: 'target', size: [SIZE, SIZE], format: 'rgba8unorm',
    usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC,
  });
  return { pipeline, particles, group, target, bundle: bundle.finish() };
}

function frame(device, s, number) {
  const encoder = device.createCommandEncoder({ label: `frame ${number}` });
  encoder.pushDebugGroup(`frame ${number}`);
  encoder.pushDebugGroup('particles');
  const compute = encoder.beginComputePass();
  compute.setPipeline(s.particles);
  compute.setBindGroup(0, s.group);
  compute.dispatchWorkgroups(4);
  compute.end();
  encoder.popDebugGroup();
  encoder.pushDebugGroup('opaque');
  const pass = encoder.beginRenderPass({
    colorAttachments: [{ view: s.target.createView(), clearValue: COLOUR, loadOp: 'clear', storeOp: 'store' }],
  });
  pass.insertDebugMarker('first triangle');
  pass.setPipeline(s.pipeline);
  pass.draw(3);
  pass.executeBundles([s.bundle]);
  pass.end();
  encoder.popDebugGroup();
  encoder.popDebugGroup();
  device.queue.submit([encoder.finish()]);
}

async function all(tap) {
  const { adapter, device } = await open();
  const name = `${adapter.info.device} ${adapter.info.description}`;
  tap.ok(/libannot.emulator/.test(name), `the adapter is the emulator's: ${name}`);
  const errors = [];
  device.addEventListener?.('uncapturederror', (event) => errors.push(event.error.message));
  device.pushErrorScope('validation');
  await buffers(tap, device);
  await formats(tap, device);
  await samples(tap, device);
  const s = scene(device);
  for (let number = 1; number <= 100; number++) frame(device, s, number);
  await device.queue.onSubmittedWorkDone();
  tap.ok(same(await read(device, s.target, 0, 4), [255, 0, 255, 255]), 'a hundred frames');
  const error = await device.popErrorScope();
  tap.ok(error === null && errors.length === 0, `no validation error ${error ? error.message : errors.join('; ')}`);
  device.destroy();
}

async function untilLost(tap) {
  const { device } = await open();
  let lost = null;
  device.lost.then((info) => { lost = info; });
  const s = scene(device);
  for (let number = 1; number <= 100 && lost === null; number++) {
    frame(device, s, number);
    await Promise.race([device.queue.onSubmittedWorkDone().catch(() => {}), device.lost]);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  tap.ok(lost !== null, `the device is lost: ${lost && `${lost.reason}: ${lost.message}`}`);
}

run(process.argv[3] === '--until-lost' ? untilLost : all);
