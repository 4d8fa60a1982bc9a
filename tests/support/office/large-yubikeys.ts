import { randomUUID } from 'node:crypto'
import { before, days } from '#server/domain/time.ts'
import type { Growth } from './large-office.ts'
import type { RowsByTable } from './many-rows.ts'

/** One key for so many documents. */
const EACH = 5
const STATES = ['in-stock', 'assigned', 'lost', 'retired'] as const

/** The keys that were bought in the years in which the documents `start` to `end` came, each with its history. */
export function yubikeyRows(growth: Growth, start: number, end: number): RowsByTable {
  const numbers = Array.from({ length: end - start }, (_, index) => start + index)
  const keys = numbers.filter((number) => number % EACH === 0).map((one) => keyAt(growth, one))
  return {
    yubikeys: keys,
    yubikey_changes: keys.flatMap(({ id, state_by, holder_id, state_since }) =>
      ['registered', 'attested', 'handed-over'].map((kind, index) => ({
        ...{ yubikey_id: id, version: index + 1, kind, at: state_since, by_user: state_by },
        ...{ holder_id: kind === 'handed-over' ? holder_id : null, note: null },
      })),
    ),
    yubikey_attestations: keys.map(({ id }) => ({
      ...{ yubikey_id: id, version: 2, slot: '9c', certificates: new Uint8Array(2000) },
    })),
  }
}

function keyAt({ office, people, now }: Growth, number: number) {
  const state = STATES[(number / EACH) % STATES.length] ?? 'in-stock'
  const person = people[(number / EACH) % people.length]
  if (!person) throw new Error('a large office has people')
  return {
    ...{ id: randomUUID(), office_id: office.id, serial: String(10_000_000 + number) },
    ...{ model: 'YubiKey 5C NFC', firmware: '5.4.3', form_factor: 'usb-c-keychain', state },
    ...{ state_since: before(now, days(number % 1000)), state_by: person.id, version: 3 },
    ...{ holder_id: state === 'assigned' ? person.id : null, certificate_id: null },
  }
}
