// A server and a person at a browser: what the tests of a file share.
import { launch, person } from './browser.js';
import { Stoa } from './stoa.js';

export class Stage {
  static async open(...words) {
    const stage = new this();
    try {
      await stage.prepare(...words);
    } catch (error) {
      await stage.close();
      throw error;
    }
    return stage;
  }

  /** A server of this kind, as somebody has it who has just installed it. */
  async prepare(kind = Stoa) {
    this.stoa = await kind.start();
    await this.seat();
  }

  /** Seats a person at a browser. */
  async seat() {
    this.browser = await launch();
    this.page = await person(this.browser);
  }

  async close() {
    await this.browser?.close();
    await this.stoa?.stop();
  }
}
