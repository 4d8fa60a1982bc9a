import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { createMailer, createMailers } from '#server/adapters/mailer.ts'
import { createVault } from '#server/adapters/vault.ts'
import { openDatabase } from '#server/db/database.ts'
import { fileRecordsIn } from '#server/db/documents/stored-files.ts'
import { outgoingNetworks } from '#server/domain/outgoing-networks.ts'
import { sendDueMail } from '#server/features/mail/send-due-mail.ts'
import { MORNING } from '#tests/support/builders.ts'
import { testSealingKeys } from '#tests/support/keys/sealing-keys.ts'

/* Sends the mail of a database as a process of its own would: `drain-outbox.ts URL PORT`. */
const [url = '', port = ''] = process.argv.slice(2)
const from = { name: '', address: 'rubrica@notaria.example' }
const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-blobs-'))
const db = openDatabase(url)
const clock = { now: () => MORNING }
const vault = createVault(testSealingKeys())
await sendDueMail({
  db,
  clock,
  vault,
  blobs: await createFileBlobs(folder, { records: fileRecordsIn(db), vault, clock }),
  mailer: createMailer({ host: '127.0.0.1', port: Number(port), security: 'none', from }),
  mailers: createMailers({ networks: outgoingNetworks([]) }),
})
await db.close()
rmSync(folder, { recursive: true })
