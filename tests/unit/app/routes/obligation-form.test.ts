import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  fieldsOfObligation,
  NewObligationForm,
  ObligationForm,
} from '#app/routes/settings/obligations/obligation-form.ts'
import { OfficeId } from '#server/domain/ids.ts'
import { defaultObligations } from '#server/domain/obligations/default-obligations.ts'
import { hasNumber } from '#server/domain/obligations/obligation.ts'

const FIELDS = {
  ...{ basis: 'document', name: 'Aviso', channel: '', count: '5', counting: 'working' },
  ...{ shift: 'stay', acts: 'Donación\r\n\r\n Poder ', source: '', sourceDay: '' },
  once: randomUUID(),
}

const errorsOf = (over: Record<string, string>): Record<string, string> => {
  const { error } = NewObligationForm.safeParse({ ...FIELDS, ...over })
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path[0], message]))
}

test('form of an obligation: acts are lines, kinds are boxes', () => {
  const read = NewObligationForm.parse({ ...FIELDS, 'kind-will': 'on' })
  expect(read.data.term).toEqual({
    ...{ basis: 'document', days: 5, counting: 'working', shift: 'stay' },
    ...{ kinds: ['will'], acts: ['Donación', 'Poder'] },
  })
  expect(read.data).toMatchObject({ channel: null, source: null, sourceDay: null })
})

test('form of an obligation: that of a month has a day of the month', () => {
  const { data } = NewObligationForm.parse({ ...FIELDS, basis: 'month', count: '17' })
  expect(data.term).toEqual({ basis: 'month', day: 17, shift: 'stay' })
})

test.each([
  ['no name', { name: ' ' }, 'name', 'Escriba el nombre'],
  ['no days', { count: 'tres' }, 'count', 'Escriba cuántos días'],
  ['too many days', { count: '367' }, 'count', 'Escriba cuántos días'],
  ['a day that no month has', { basis: 'month', count: '32' }, 'count', 'de 1 a 31'],
  ['nothing that it applies to', { acts: '' }, 'acts', 'Elija al menos un tipo'],
  ['too many acts', { acts: 'Acto\n'.repeat(21) }, 'acts', 'hasta 20 actos'],
  ['a source without its day', { source: 'Ley' }, 'sourceDay', 'cuándo se leyó'],
  ['a day that does not exist', { sourceDay: '2026-02-30' }, 'sourceDay', 'una fecha que exista'],
])('form of an obligation: %s is refused at its field', (_, over, field, sentence) => {
  expect(errorsOf(over)[field]).toContain(sentence)
})

test('form of an obligation: says at each field at once why it is refused', () => {
  const errors = errorsOf({ count: '', acts: '', source: 'Ley' })
  expect(Object.keys(errors).toSorted()).toEqual(['acts', 'count', 'sourceDay'])
  const fields = { ...FIELDS, intent: 'change', at: '1', name: '' }
  const { error } = ObligationForm.safeParse(fields)
  expect(error?.issues.map(({ path }) => path)).toEqual([['name']])
})

test('form of an obligation: of the program, asks for the day on which its source was read, and shows the rest as it is', () => {
  const id = OfficeId.parse(randomUUID())
  for (const one of defaultObligations({ id, entity: 'Ciudad de México' })) {
    if (!hasNumber(one.term)) continue
    const fields = { intent: 'change', at: '', ...fieldsOfObligation(one) }
    const { name, channel, term, source } = one
    expect(ObligationForm.safeParse(fields).success).toBe(source === null)
    const sourceDay = source === null ? null : '2026-11-20'
    const read = ObligationForm.parse({ ...fields, sourceDay: sourceDay ?? '' })
    expect(read).toEqual({
      ...{ intent: 'change', at: null },
      data: { name, channel, term, source, sourceDay },
    })
  }
})
