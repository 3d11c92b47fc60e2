// WebGPU on Dawn's Vulkan backend, as a program that knows nothing of the layer: frames with debug groups and markers.
//   node dawn.mjs [DUMP]      prints a number that all results make; with DUMP a dispatch of frame 8 takes minutes, and the
//                             program ends as soon as that file is there
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const { create, globals } = await import(pathToFileURL(createRequire(`${process.env.WEBGPU_FROM}/`).resolve('webgpu')));
Object.assign(globalThis, globals);

const dump = process.argv[2];
globalThis.gpu = create(['backend=vulkan']); // Dawn ends with it
const adapter = await gpu.requestAdapter();
if (!adapter) {
  console.log('no adapter');
  process.exit(77);
}
const device = await adapter.requestDevice();

const numbers = device.createBuffer({ label: 'numbers', size: 1024, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
const result = device.createBuffer({ size: 1024, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });

function work(body) {
  const module = device.createShaderModule({
    code: `@group(0) @binding(0) var<storage, read_write> numbers: array<atomic<u32>>;
      @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) at: vec3u) { ${body} }`,
  });
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer: numbers } }] });
  return (pass, count) => {
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(count);
  };
}
const quick = work('atomicAdd(&numbers[at.x], at.x + 1u);');
const slow = work('for (var i = 0u; i < 65000u; i++) { atomicAdd(&numbers[at.x % 256u], i); }');

function frame(number) {
  const encoder = device.createCommandEncoder();
  encoder.pushDebugGroup(`frame ${number}`);
  for (const name of ['culling', 'particles', 'post']) {
    const pass = encoder.beginComputePass();
    pass.pushDebugGroup(name);
    pass.insertDebugMarker(`${name} of frame ${number}`);
    if (dump && number === 8 && name === 'particles') slow(pass, 65535);
    else quick(pass, 4);
    pass.popDebugGroup();
    pass.end();
  }
  encoder.popDebugGroup();
  device.queue.submit([encoder.finish()]);
}

for (let number = 1; number <= 20; number++) frame(number);
if (dump) {
  setInterval(() => existsSync(dump) && process.kill(process.pid, 'SIGKILL'), 50);
} else {
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(numbers, 0, result, 0, 1024);
  device.queue.submit([encoder.finish()]);
  await result.mapAsync(GPUMapMode.READ);
  console.log(new Uint32Array(result.getMappedRange()).reduce((all, one) => (all * 31 + one) >>> 0, 7));
}
