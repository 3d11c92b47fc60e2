// Chromium without a window, over a pipe: opens pages, evaluates, types, takes pictures. No package is needed.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function findChromium() {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome'])
    if (spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0) return name;
  return null;
}

export class Browser {
  constructor(program) {
    this.profile = mkdtempSync(join(tmpdir(), 'annot-page-'));
    this.child = spawn(program, ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
      '--disable-background-networking', '--remote-debugging-pipe', `--user-data-dir=${this.profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.waiting = new Map();
    this.listeners = [];
    this.number = 0;
    let rest = '';
    this.child.stdio[4].setEncoding('utf8').on('data', (text) => {
      const parts = (rest + text).split('\0');
      rest = parts.pop();
      for (const part of parts) this.receive(JSON.parse(part));
    });
  }

  receive(message) {
    if (message.id === undefined) {
      for (const listener of this.listeners) listener(message);
      return;
    }
    const { resolve, reject } = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) reject(new Error(message.error.message));
    else resolve(message.result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.number;
    this.child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  async open(url, { width = 1200, height = 800, dark = false, mobile = false } = {}) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    await page.send('Page.enable');
    await page.send('Runtime.enable');
    await page.send('Network.enable');
    await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile });
    await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }] });
    await page.send('Performance.enable', { timeDomain: 'threadTicks' });
    const start = performance.now();
    await page.send('Page.navigate', { url });
    await page.until('document.documentElement.dataset.ready !== undefined || document.getElementById("headline").textContent.includes("can")');
    page.openedIn = performance.now() - start;
    return page;
  }

  async close() {
    await this.send('Browser.close').catch(() => {});
    await new Promise((resolve) => (this.child.exitCode === null ? this.child.on('exit', resolve) : resolve()));
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

class Page {
  constructor(browser, session, target) {
    Object.assign(this, { browser, session, target, requests: [], errors: [] });
    browser.listeners.push((message) => {
      if (message.sessionId !== session) return;
      if (message.method === 'Network.requestWillBeSent') this.requests.push(message.params.request.url);
      if (message.method === 'Runtime.exceptionThrown') this.errors.push(message.params.exceptionDetails.text);
    });
  }

  send(method, params) { return this.browser.send(method, params, this.session); }

  async run(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }

  async until(expression, limit = 60000) {
    for (const end = performance.now() + limit; performance.now() < end;) {
      if (await this.run(`document.readyState !== 'loading' && Boolean(${expression})`).catch(() => false)) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`never true: ${expression}`);
  }

  // Seconds of the processor that the page's thread has used.
  async work() {
    const { metrics } = await this.send('Performance.getMetrics');
    return metrics.find((metric) => metric.name === 'TaskDuration').value;
  }

  async press(key, text = key.length === 1 ? key : undefined) {
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key });
  }

  async picture(path) {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    writeFileSync(path, Buffer.from(data, 'base64'));
  }

  close() { return this.browser.send('Target.closeTarget', { targetId: this.target }); }
}
