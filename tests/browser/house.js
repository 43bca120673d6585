// What a client needs to sign in: a server that reads metadata documents of a host on this machine, and a person who
// is signed in at a browser.
import { DocumentHost } from '../clients/typescript/harness/document.js';
import { Stoa } from '../clients/typescript/harness/stoa.js';
import { launch, person } from './browser.js';
import { signIn } from './consent.js';

export class House {
  static async open() {
    const house = new House();
    try {
      house.documents = await DocumentHost.start();
      house.stoa = await Stoa.start(house.documents.settings);
      house.browser = await launch();
      house.page = await person(house.browser);
      await signIn(house.page, await house.stoa.personLink());
    } catch (error) {
      await house.close();
      throw error;
    }
    return house;
  }

  async close() {
    await this.browser?.close();
    await this.stoa?.stop();
    await this.documents?.stop();
  }
}
