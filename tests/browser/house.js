// What a client needs to sign in: a server that reads metadata documents of a host on this machine, and a person who
// is signed in at a browser.
import { DocumentHost } from '../clients/typescript/harness/document.js';
import { Stoa } from '../clients/typescript/harness/stoa.js';
import { signIn } from './consent.js';
import { Stage } from './stage.js';

export class House extends Stage {
  async prepare() {
    this.documents = await DocumentHost.start();
    this.stoa = await Stoa.start(this.documents.settings);
    await this.seat();
    await signIn(this.page, await this.stoa.personLink());
  }

  async close() {
    await super.close();
    await this.documents?.stop();
  }
}
