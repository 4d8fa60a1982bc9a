import { createPrivateKey, createPublicKey, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type DemoAuthority, mintEfirma } from '#server/demo/certification-authority.ts'
import { after, days, instantOf } from '#server/domain/time.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import type { DemoUser } from '#tests/support/processes/demo-server.ts'
import { aFile, type FileInput } from './fixtures.ts'
import type { OfficeDatabase } from './office-database.ts'

/** A new signer for this test, with an e.firma of the demonstration authority. */
export type Party = Pick<DemoUser, 'email' | 'password' | 'keyPassword'> & {
  id: string
  cer: FileInput
  key: FileInput
}

const KEY_PASSWORD = 'clave de prueba 7'

/** As many people like `model`, each with a name, an RFC and a key of their own. */
export async function insertParties(
  rows: OfficeDatabase,
  model: DemoUser,
  count: number,
): Promise<Party[]> {
  const authority = demoAuthority()
  const parties = Array.from({ length: count }, (_, index) =>
    insertParty(rows, model, authority, index),
  )
  return await Promise.all(parties)
}

async function insertParty(
  rows: OfficeDatabase,
  model: DemoUser,
  authority: DemoAuthority,
  index: number,
): Promise<Party> {
  const [row] = rows.all<Record<string, unknown>>(
    'select * from users where email = ?',
    model.email,
  )
  const id = randomUUID()
  const email = `firmante-${id.slice(0, 8)}@notaria.example`
  const letters = String.fromCharCode(65 + index, 65 + ((index * 7) % 26))
  const person = {
    first_name: 'Julia',
    last_name: `Soto ${letters}`,
    rfc: `SO${letters}900704TB${index % 10}`,
  }
  insert(rows, 'users', { ...row, ...person, id, email, capacity: null })
  insert(rows, 'user_roles', {
    user_id: id,
    role: 'CLERK',
    granted_at: Date.now(),
    granted_by: null,
  })
  const efirma = await mintEfirma(authority, {
    kind: 'efirma-natural',
    name: `${person.first_name} ${person.last_name}`.toUpperCase(),
    rfc: person.rfc,
    curp: `SO${letters}900704MDFTLL0${index % 10}`,
    email,
    password: KEY_PASSWORD,
    serial: `3000100000${String(Math.floor(Math.random() * 1e10)).padStart(10, '0')}`,
    notBefore: after(instantOf(Date.now()), -days(30) as ReturnType<typeof days>),
  })
  return {
    ...{ id, email, password: model.password, keyPassword: KEY_PASSWORD },
    cer: aFile('firma.cer', efirma.cer),
    key: aFile('firma.key', efirma.key),
  }
}

function insert(rows: OfficeDatabase, table: string, row: Record<string, unknown>): void {
  const names = Object.keys(row)
  const places = names.map(() => '?').join(', ')
  rows.change(
    `insert into ${table} (${names.join(', ')}) values (${places})`,
    ...names.map((name) => row[name]),
  )
}

/** That of the running demo office, beside its server. */
function demoAuthority(): DemoAuthority {
  const file = (name: string) =>
    readFileSync(path.join(process.env.DEMO_DATA ?? '', 'demo/authority', name))
  const keyPair = (name: string): DemoAuthority['rootKey'] => {
    const privateKey = createPrivateKey(file(name))
    return { privateKey, publicKey: createPublicKey(privateKey) }
  }
  return {
    root: readCertificate(new Uint8Array(file('root.cer'))),
    issuing: readCertificate(new Uint8Array(file('issuing.cer'))),
    rootKey: keyPair('root-key.txt'),
    issuingKey: keyPair('issuing-key.txt'),
  }
}
