// The real binary as somebody has it who has just installed it, with the link that it prints.
import { Server } from '../clients/typescript/harness/stoa.js';

export class Stoa extends Server {
  /** The link that makes the owner's account, once it is printed. */
  setupLink() {
    return this.log.match(/http\S+\/setup#\S+/)?.[0];
  }

  async ready() {
    return this.setupLink() !== undefined && super.ready();
  }
}
