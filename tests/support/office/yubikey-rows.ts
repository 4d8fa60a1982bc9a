import { randomUUID } from 'node:crypto'
import { insertWebauthnCredential } from '#server/db/factors/webauthn-credentials.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { upsertMakerCertificate } from '#server/db/yubikeys/maker-certificates.ts'
import { insertYubikeyAttestation } from '#server/db/yubikeys/yubikey-attestations.ts'
import { insertYubikeyChange } from '#server/db/yubikeys/yubikey-changes.ts'
import { linkYubikeyCredential } from '#server/db/yubikeys/yubikey-credentials.ts'
import { insertYubikey } from '#server/db/yubikeys/yubikeys.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { User } from '#server/domain/identity/user.ts'
import { type CertificateId, type OfficeId, type UserId, YubikeyId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Yubikey } from '#server/domain/yubikeys/yubikey.ts'
import { keyOf } from './full-office.ts'

type Row = {
  officeId: User['officeId']
  by: UserId
  serial: string
  holder?: User
  certificateId?: CertificateId
  at: Instant
}

/** A key in stock, or with a holder: registered, and handed over. */
export async function insertKey(
  trx: Transaction,
  { officeId, by, serial, holder, certificateId, at }: Row,
): Promise<Yubikey> {
  const yubikey: Yubikey = {
    ...{ id: YubikeyId.parse(randomUUID()), officeId, serial, model: 'YubiKey 5C NFC' },
    ...{ firmware: '5.4.3', formFactor: 'usb-c-keychain', certificateId: certificateId ?? null },
    ...{ state: holder ? 'assigned' : 'in-stock', stateSince: at, stateBy: by },
    ...{ holderId: holder?.id ?? null, version: holder ? 2 : 1 },
  }
  await insertYubikey(trx, yubikey)
  const change = { yubikeyId: yubikey.id, at, by, note: null }
  await insertYubikeyChange(trx, { ...change, kind: 'registered', holderId: null, version: 1 })
  if (holder) {
    const handover = { kind: 'handed-over', holderId: holder.id, version: 2 } as const
    await insertYubikeyChange(trx, { ...change, ...handover })
  }
  return yubikey
}

/** A credential of the user, and whether a key holds it. */
export async function insertCredential(
  trx: Transaction,
  user: User,
  at: Instant,
  yubikey?: Pick<Yubikey, 'id'>,
): Promise<string> {
  const credential = keyOf(user, at)
  await insertWebauthnCredential(trx, credential, new Uint8Array())
  if (yubikey) await linkYubikeyCredential(trx, yubikey.id, credential.id, { at, by: user.id })
  return credential.id
}

/** A certificate of the maker that counts. */
export async function insertMaker(
  trx: Transaction,
  der: Uint8Array,
  { officeId, at, by }: { officeId: OfficeId; at: Instant; by: UserId },
): Promise<string> {
  const own = {
    sha256: sha256(der),
    der: Uint8Array.from(der),
    name: 'Raíz',
    state: 'trusted',
  } as const
  await upsertMakerCertificate(trx, officeId, {
    ...own,
    ...{ reason: 'Del sitio del fabricante.', since: at, by },
  })
  return own.sha256
}

/** As many keys in stock, and one with as many changes, attestations that nothing can read, and credentials. */
export async function insertKeys(
  trx: Transaction,
  { admin, clerks, at }: { admin: User; clerks: readonly User[]; at: Instant },
  der: (index: number) => Uint8Array,
): Promise<string> {
  const { officeId, id: by } = admin
  const yubikey = await insertKey(trx, { officeId, by, serial: '500', holder: admin, at })
  for (const [index, clerk] of clerks.entries()) {
    await insertKey(trx, { officeId, by, serial: `${1000 + index}`, holder: clerk, at })
    await insertCredential(trx, admin, at, yubikey)
    await insertCredential(trx, admin, at)
    const version = 3 + index
    const change = { yubikeyId: yubikey.id, version, at, by: clerk.id, holderId: clerk.id }
    await insertYubikeyChange(trx, { ...change, kind: 'attested', note: '9c' })
    const certificates = Buffer.from('nothing that can be read')
    await insertYubikeyAttestation(trx, {
      ...{ yubikeyId: yubikey.id, version, slot: index.toString(16).padStart(2, '0') },
      certificates,
    })
    await insertMaker(trx, der(index), { officeId, at, by: clerk.id })
  }
  return yubikey.id
}
