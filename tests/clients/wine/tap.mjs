// TAP into a file: under Wine what a program writes to a pipe may be lost when it ends.
import fs from 'node:fs';

export class Tap {
  constructor(path) {
    this.path = path;
    this.count = 0;
    this.failed = 0;
    fs.writeFileSync(path, '');
  }

  say(line) {
    fs.appendFileSync(this.path, line + '\n');
  }

  ok(condition, name) {
    this.count++;
    if (!condition) this.failed++;
    this.say(`${condition ? 'ok' : 'not ok'} ${this.count} - ${name.replace(/\s+/g, ' ')}`);
  }

  end() {
    this.say(`1..${this.count}`);
    return this.failed === 0 && this.count > 0 ? 0 : 1;
  }
}

// Runs main(tap), and ends the process: what is left of Dawn's threads must not keep it.
export function run(main) {
  const tap = new Tap(process.argv[2]);
  process.on('uncaughtException', (error) => {
    tap.ok(false, `uncaught: ${error && error.stack}`);
    process.exit(tap.end());
  });
  main(tap).then(
    () => process.exit(tap.end()),
    (error) => {
      tap.ok(false, `rejected: ${error && (error.stack || error.message)}`);
      process.exit(tap.end());
    });
}
