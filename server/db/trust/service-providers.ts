import type { ServiceProviderRow } from '#server/db/tables/proofs.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { OfficeId, ServiceProviderId } from '#server/domain/ids.ts'
import { type ProviderKind, ServiceProvider } from '#server/domain/timestamp/service-provider.ts'

/** The office's active providers, by kind and in the order in which they are asked. */
export async function listServiceProviders(
  db: Reader,
  officeId: OfficeId,
  kind?: ProviderKind,
): Promise<ServiceProvider[]> {
  let query = db
    .selectFrom('service_providers')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('state', '=', 'active')
  if (kind) query = query.where('kind', '=', kind)
  const rows = await query.orderBy('kind', 'desc').orderBy('position').orderBy('id').execute()
  return rows.map(toProvider)
}

/** Includes removed providers. */
export async function findServiceProvider(
  db: Reader,
  id: ServiceProviderId,
): Promise<ServiceProvider | undefined> {
  const row = await db
    .selectFrom('service_providers')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toProvider(row)
}

export async function insertServiceProvider(
  trx: Transaction,
  provider: ServiceProvider,
): Promise<void> {
  await trx.insertInto('service_providers').values(toRow(provider)).execute()
}

/** Returns false if the provider does not exist. */
export async function replaceServiceProvider(
  trx: Transaction,
  provider: ServiceProvider,
): Promise<boolean> {
  const { id, ...values } = toRow(provider)
  const { numUpdatedRows } = await trx
    .updateTable('service_providers')
    .set(values)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function toProvider(row: ServiceProviderRow): ServiceProvider {
  const { key_version: keyVersion, sealed_password: bytes } = row
  return ServiceProvider.parse({
    ...row,
    officeId: row.office_id,
    sealed: bytes && keyVersion !== null ? { keyVersion, bytes: Uint8Array.from(bytes) } : null,
    stateSince: row.state_since,
    stateBy: row.state_by,
    cost: row.cost_cents === null ? null : Number(row.cost_cents),
  })
}

function toRow(provider: ServiceProvider): ServiceProviderRow {
  return {
    id: provider.id,
    office_id: provider.officeId,
    kind: provider.kind,
    name: provider.name,
    url: provider.url,
    username: provider.username,
    key_version: provider.sealed?.keyVersion ?? null,
    sealed_password: provider.sealed?.bytes ?? null,
    policy: provider.policy,
    position: provider.position,
    state: provider.state,
    state_since: provider.stateSince,
    state_by: provider.stateBy,
    cost_cents: provider.cost,
  }
}
