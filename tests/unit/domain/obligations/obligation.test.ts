import { expect, test } from 'vitest'
import { OfficeId } from '#server/domain/ids.ts'
import { defaultObligations } from '#server/domain/obligations/default-obligations.ts'
import {
  changedFactsOf,
  hasNumber,
  MOST_OBLIGATIONS,
  Obligation,
  ObligationData,
} from '#server/domain/obligations/obligation.ts'

const id = OfficeId.parse('3b241101-e2bb-4255-8caf-4136c566a962')
const defaults = (entity: string) => defaultObligations({ id, entity })

test('obligations of the program: each is well formed, and active only with a term', () => {
  for (const one of defaults('Ciudad de México')) {
    expect(Obligation.parse(one)).toEqual(one)
    expect(one.state === 'off' || hasNumber(one.term)).toBe(true)
    expect(one.sourceDay === null).toBe(one.source === null)
  }
})

test('obligations of the program: leave room for those of the office', () => {
  expect(defaults('Jalisco').length).toBeLessThan(MOST_OBLIGATIONS / 4)
})

test('obligations of the program: what the law of a state orders is off elsewhere', () => {
  const stateOf = (entity: string) =>
    defaults(entity).find(({ name }) => name.startsWith('Índice'))?.state
  expect(stateOf('Ciudad de México')).toBe('active')
  expect(stateOf('ciudad de mexico')).toBe('active')
  expect(stateOf('Jalisco')).toBe('off')
})

test('obligation: without days, or without what it applies to, is refused', () => {
  const [, , will] = defaults('Jalisco')
  const term = { basis: 'document', days: 3, counting: 'working', shift: 'stay' } as const
  const data = { ...will, term: { ...term, kinds: ['will'], acts: [] } }
  const isData = (over: object) =>
    ObligationData.safeParse({ ...data, term: { ...data.term, ...over } }).success
  expect(isData({})).toBe(true)
  expect(isData({ days: null })).toBe(false)
  expect(isData({ kinds: [] })).toBe(false)
  expect(isData({ days: 0 })).toBe(false)
})

test('obligation: changed facts come with those from before', () => {
  const [before] = defaults('Jalisco')
  const after = { ...before!, name: 'Otra', source: null }
  expect(changedFactsOf(before!, before!)).toEqual({})
  expect(changedFactsOf(before!, after)).toEqual({
    ...{ name: 'Otra', nameBefore: before!.name },
    ...{ source: null, sourceBefore: before!.source },
  })
})
