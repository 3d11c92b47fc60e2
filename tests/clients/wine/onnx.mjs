// ONNX Runtime's DirectML provider: a small network, run some times. Shaders are not executed, so that any result is right;
// that there is one, of the right shape, and no error, is what is tested.
//   node onnx.mjs TAP_FILE
//   node onnx.mjs TAP_FILE --until-lost     runs it until the device is lost
import ort from 'onnxruntime-node';
import { run } from './tap.mjs';

const N = 64;

// ---- the model, in ONNX's protocol buffers: y = relu(Gemm(x, w, b)) ----

function varint(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

const number = (field, value) => [...varint(field * 8), ...varint(value)];
const bytes = (field, value) => [...varint(field * 8 + 2), ...varint(value.length), ...value];
const text = (field, value) => bytes(field, [...Buffer.from(value)]);

function tensor(name, dims, value) {
  const raw = new Uint8Array(new Float32Array(dims.reduce((a, b) => a * b)).fill(value).buffer);
  return [...dims.flatMap((dim) => number(1, dim)), ...number(2, 1), ...text(8, name), ...bytes(9, raw)];
}

function value(name, dims) {
  const shape = dims.flatMap((dim) => bytes(1, number(1, dim)));
  return [...text(1, name), ...bytes(2, bytes(1, [...number(1, 1), ...bytes(2, shape)]))];
}

function node(type, inputs, output) {
  return [...inputs.flatMap((input) => text(1, input)), ...text(2, output), ...text(3, `the ${type}`), ...text(4, type)];
}

function model() {
  const graph = [
    ...bytes(1, node('Gemm', ['x', 'w', 'b'], 'z')), ...bytes(1, node('Relu', ['z'], 'y')), ...text(2, 'graph'),
    ...bytes(5, tensor('w', [N, N], 0.5)), ...bytes(5, tensor('b', [N], 1)),
    ...bytes(11, value('x', [N, N])), ...bytes(12, value('y', [N, N])),
  ];
  return Uint8Array.from([...number(1, 8), ...text(2, 'test'), ...bytes(7, graph), ...bytes(8, number(2, 13))]);
}

// ---- runs ----

async function open() {
  return ort.InferenceSession.create(model(), { executionProviders: ['dml'], graphOptimizationLevel: 'disabled' });
}

async function infer(session) {
  const x = new ort.Tensor('float32', new Float32Array(N * N).fill(1), [N, N]);
  return (await session.run({ x })).y;
}

async function all(tap) {
  const session = await open();
  tap.ok(session.inputNames.join() === 'x' && session.outputNames.join() === 'y', 'a session on DirectML');
  let good = true;
  for (let i = 0; i < 20; i++) {
    const y = await infer(session);
    good &&= y.dims.join() === `${N},${N}` && y.data.length === N * N;
  }
  tap.ok(good, 'twenty runs');
}

async function untilLost(tap) {
  let error = null;
  try {
    const session = await open();
    for (let i = 0; i < 100; i++) await infer(session);
  } catch (thrown) {
    error = thrown;
  }
  tap.ok(error !== null, `the device is lost: ${error && error.message}`);
}

run(process.argv[3] === '--until-lost' ? untilLost : all);
