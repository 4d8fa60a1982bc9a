import { placeOfUploadKey } from '#server/domain/documents/resumable-upload.ts'
import { placeOfOfficeKey } from '#server/domain/documents/stored-file.ts'
import { placeOfTotpSecret } from '#server/domain/identity/totp-factor.ts'
import {
  KeptRequestId,
  MailId,
  OfficeId,
  OfficeKeyId,
  ServiceProviderId,
  TotpFactorId,
  UploadId,
  UserId,
} from '#server/domain/ids.ts'
import { placeOfMailBody } from '#server/domain/mail/mail.ts'
import { placeOfMailPassword } from '#server/domain/mail/mail-server.ts'
import { placeOfProviderPassword } from '#server/domain/timestamp/service-provider.ts'
import { placeOfBody } from './sign-ins/kept-requests.ts'
import type { Tables } from './tables.ts'
import type { Reader, Transaction } from './transaction.ts'

/** A sealed secret of a row. */
export type SealedRow = {
  id: string
  place: string
  sealed: { keyVersion: number; bytes: Uint8Array }
}

/** The secrets of one table. */
export type SealedTable = {
  /** Rows sealed with a key older than `version`, by id, after the id `after`. */
  list(db: Reader, version: number, after: string, limit: number): Promise<SealedRow[]>
  /** Compare-and-swap: false if the row is gone or was sealed again meanwhile. */
  replace(trx: Transaction, row: SealedRow, sealed: SealedRow['sealed']): Promise<boolean>
}

type NamesOfSealed = {
  [Name in keyof Tables]: Tables[Name] extends { key_version: number | null } ? Name : never
}[keyof Tables]

/** Every table with sealed secrets; does not compile if one with a key version is missing. */
export const SEALED_TABLES: Record<NamesOfSealed, SealedTable> = {
  totp_factors: {
    async list(db, version, after, limit) {
      const rows = await db
        .selectFrom('totp_factors')
        .select(['id', 'user_id', 'key_version', 'sealed_secret'])
        .where('key_version', '<', version)
        // In other states the secret is erased.
        .where('state', 'in', ['pending', 'active'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        place: placeOfTotpSecret({
          id: TotpFactorId.parse(row.id),
          userId: UserId.parse(row.user_id),
        }),
        sealed: { keyVersion: row.key_version, bytes: Uint8Array.from(row.sealed_secret) },
      }))
    },
    async replace(trx, row, { keyVersion, bytes }) {
      const { numUpdatedRows } = await trx
        .updateTable('totp_factors')
        .set({ key_version: keyVersion, sealed_secret: bytes })
        .where('id', '=', row.id)
        .where('key_version', '=', row.sealed.keyVersion)
        .where('state', 'in', ['pending', 'active'])
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },
  },
  kept_requests: {
    async list(db, version, after, limit) {
      const rows = await db
        .selectFrom('kept_requests')
        .select(['id', 'key_version', 'sealed_body'])
        .where('key_version', '<', version)
        // In used requests the body is erased.
        .where('used_at', 'is', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        place: placeOfBody(KeptRequestId.parse(row.id)),
        sealed: { keyVersion: row.key_version, bytes: Uint8Array.from(row.sealed_body) },
      }))
    },
    async replace(trx, row, { keyVersion, bytes }) {
      const { numUpdatedRows } = await trx
        .updateTable('kept_requests')
        .set({ key_version: keyVersion, sealed_body: bytes })
        .where('id', '=', row.id)
        .where('key_version', '=', row.sealed.keyVersion)
        .where('used_at', 'is', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },
  },
  service_providers: {
    async list(db, version, after, limit) {
      const rows = await db
        .selectFrom('service_providers')
        .select(['id', 'url', 'key_version', 'sealed_password'])
        .where('key_version', '<', version)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.flatMap(({ id, url, key_version: keyVersion, sealed_password: bytes }) =>
        keyVersion === null || bytes === null
          ? []
          : [
              {
                id,
                place: placeOfProviderPassword({ id: ServiceProviderId.parse(id), url }),
                sealed: { keyVersion, bytes: Uint8Array.from(bytes) },
              },
            ],
      )
    },
    async replace(trx, row, { keyVersion, bytes }) {
      const { numUpdatedRows } = await trx
        .updateTable('service_providers')
        .set({ key_version: keyVersion, sealed_password: bytes })
        .where('id', '=', row.id)
        .where('key_version', '=', row.sealed.keyVersion)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },
  },
  mail_servers: {
    async list(db, version, after, limit) {
      const rows = await db
        .selectFrom('mail_servers')
        .select(['office_id', 'host', 'port', 'username', 'key_version', 'sealed_password'])
        // Null without a login.
        .where('key_version', '<', version)
        .where('office_id', '>', after)
        .orderBy('office_id')
        .limit(limit)
        .execute()
      return rows.flatMap(({ office_id: id, key_version: keyVersion, ...row }) =>
        keyVersion === null || row.sealed_password === null
          ? []
          : [
              {
                id,
                place: placeOfMailPassword({ ...row, officeId: OfficeId.parse(id) }),
                sealed: { keyVersion, bytes: Uint8Array.from(row.sealed_password) },
              },
            ],
      )
    },
    async replace(trx, row, { keyVersion, bytes }) {
      const { numUpdatedRows } = await trx
        .updateTable('mail_servers')
        .set({ key_version: keyVersion, sealed_password: bytes })
        .where('office_id', '=', row.id)
        .where('key_version', '=', row.sealed.keyVersion)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },
  },
  office_keys: {
    async list(db, version, after, limit) {
      const rows = await db
        .selectFrom('office_keys')
        .select(['id', 'office_id', 'key_version', 'sealed_key'])
        .where('key_version', '<', version)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        place: placeOfOfficeKey({
          id: OfficeKeyId.parse(row.id),
          officeId: OfficeId.parse(row.office_id),
        }),
        sealed: { keyVersion: row.key_version, bytes: Uint8Array.from(row.sealed_key) },
      }))
    },
    async replace(trx, row, { keyVersion, bytes }) {
      const { numUpdatedRows } = await trx
        .updateTable('office_keys')
        .set({ key_version: keyVersion, sealed_key: bytes })
        .where('id', '=', row.id)
        .where('key_version', '=', row.sealed.keyVersion)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },
  },
  resumable_uploads: {
    async list(db, version, after, limit) {
      const rows = await db
        .selectFrom('resumable_uploads')
        .select(['id', 'key_version', 'sealed_key'])
        .where('key_version', '<', version)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        place: placeOfUploadKey(UploadId.parse(row.id)),
        sealed: { keyVersion: row.key_version, bytes: Uint8Array.from(row.sealed_key) },
      }))
    },
    async replace(trx, row, { keyVersion, bytes }) {
      const { numUpdatedRows } = await trx
        .updateTable('resumable_uploads')
        .set({ key_version: keyVersion, sealed_key: bytes })
        .where('id', '=', row.id)
        .where('key_version', '=', row.sealed.keyVersion)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },
  },
  outbox: {
    async list(db, version, after, limit) {
      const rows = await db
        .selectFrom('outbox')
        .select(['id', 'key_version', 'sealed_body'])
        // Null if there is no secret.
        .where('key_version', '<', version)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.flatMap(({ id, key_version: keyVersion, sealed_body: bytes }) =>
        keyVersion === null || bytes === null
          ? []
          : [
              {
                id,
                place: placeOfMailBody(MailId.parse(id)),
                sealed: { keyVersion, bytes: Uint8Array.from(bytes) },
              },
            ],
      )
    },
    async replace(trx, row, { keyVersion, bytes }) {
      const { numUpdatedRows } = await trx
        .updateTable('outbox')
        .set({ key_version: keyVersion, sealed_body: bytes })
        .where('id', '=', row.id)
        .where('key_version', '=', row.sealed.keyVersion)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },
  },
}

/** The key versions that rows still use. */
export async function listKeyVersions(db: Reader): Promise<Set<number>> {
  const totp = await db
    .selectFrom('totp_factors')
    .select('key_version')
    .distinct()
    .where('state', 'in', ['pending', 'active'])
    .execute()
  const kept = await db
    .selectFrom('kept_requests')
    .select('key_version')
    .distinct()
    .where('used_at', 'is', null)
    .execute()
  const providers = await db
    .selectFrom('service_providers')
    .select('key_version')
    .distinct()
    .where('key_version', 'is not', null)
    .execute()
  const servers = await db
    .selectFrom('mail_servers')
    .select('key_version')
    .distinct()
    .where('key_version', 'is not', null)
    .execute()
  const mail = await db
    .selectFrom('outbox')
    .select('key_version')
    .distinct()
    .where('key_version', 'is not', null)
    .execute()
  const offices = await db.selectFrom('office_keys').select('key_version').distinct().execute()
  const uploads = await db
    .selectFrom('resumable_uploads')
    .select('key_version')
    .distinct()
    .execute()
  const all = [...totp, ...kept, ...providers, ...servers, ...mail, ...offices, ...uploads].map(
    ({ key_version }) => key_version,
  )
  return new Set(all.filter((version) => version !== null))
}
