// A mail server that keeps what it is given (RFC 5321, as far as one letter at a time takes it).
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

export class MailServer {
  mails = [];

  static async start() {
    const mail = new this();
    mail.server = createServer((socket) => mail.#converse(socket)).listen(0, '127.0.0.1');
    await once(mail.server, 'listening');
    return mail;
  }

  /** The variables that lead Stoa here. */
  get settings() {
    return {
      STOA_MAIL__URL: `smtp://127.0.0.1:${this.server.address().port}`,
      STOA_MAIL__FROM: 'Stoa <stoa@example.org>',
    };
  }

  async #converse(socket) {
    socket.on('error', () => {});
    const say = (text) => socket.write(`${text}\r\n`);
    say('220 mail.example.org');
    let mail;
    for await (const line of createInterface({ input: socket })) {
      if (mail === undefined) {
        if (line === 'DATA') mail = [];
        say(line === 'DATA' ? '354 go on' : line === 'QUIT' ? '221 good bye' : '250 yes');
      } else if (line === '.') {
        this.mails.push(mail.join('\n'));
        mail = undefined;
        say('250 taken');
      } else {
        mail.push(line);
      }
    }
  }

  stop() {
    this.server.close();
  }
}
