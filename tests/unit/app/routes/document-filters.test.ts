import { describe, expect, test } from 'vitest'
import { activeFilters } from '#app/routes/documents/filters/active-filters.ts'
import { askedIn } from '#app/routes/documents/filters/asked-in.ts'
import { type Asked, listAddress } from '#app/routes/documents/filters/list-address.ts'
import { noDocumentsText } from '#app/routes/documents/filters/no-documents-text.ts'
import { Day } from '#server/domain/day.ts'
import { documentFiltersIn } from '#server/domain/documents/document-filters.ts'
import { SigningSessionId, UserId } from '#server/domain/ids.ts'

const ANA = UserId.parse('3f2c8a52-5a3c-4a56-9d0c-0d8e7a3a1c11')
const OWN = UserId.parse('4f2c8a52-5a3c-4a56-9d0c-0d8e7a3a1c12')
const uploaders = [{ value: ANA, label: 'Ana Ruiz' }]
const office = { timeZone: 'America/Mexico_City' }
const day = (text: string) => Day.parse(text)
const asked = (more: Partial<Asked> = {}): Asked => ({ ...askedIn(new URLSearchParams()), ...more })

describe('filters of documents', () => {
  test('values: those that fit are taken, all others left out', () => {
    expect(
      documentFiltersIn({ kind: 'will', by: ANA, from: '2026-11-20', to: '', x: '1' }),
    ).toEqual({ kind: 'will', by: ANA, from: '2026-11-20', to: undefined })
    const unfit = { kind: 'no', by: "'; --", from: '2026-02-30', to: '20/11/2026' }
    expect(Object.values(documentFiltersIn(unfit))).toEqual(Array(4).fill(undefined))
  })

  test('active filters: each names its value, and its link keeps all others', () => {
    const all = asked({
      ...{ text: 'poder', state: 'draft', kind: 'will', by: ANA },
      ...{ from: day('2026-11-01'), to: day('2026-11-20') },
    })
    const shown = activeFilters(all, office, uploaders, OWN)
    expect(shown.map(({ name }) => name)).toEqual([
      ...['Tipo: Testamento', 'Subido por Ana Ruiz'],
      ...['Subido desde el 01 nov 2026', 'Subido hasta el 20 nov 2026'],
    ])
    expect(shown.map(({ without }) => new URLSearchParams(without.split('?')[1]))).toEqual(
      ['kind', 'by', 'from', 'to'].map((key) => {
        const query = new URLSearchParams(listAddress(all).split('?')[1])
        query.delete(key)
        return query
      }),
    )
  })

  test('an address: reads back what it was made of', () => {
    const all = asked({
      ...{ text: 'poder', state: 'draft', kind: 'will', by: ANA, signer: OWN },
      ...{
        signingSession: SigningSessionId.parse(ANA),
        order: 'title',
        columns: ['awaited', 'created'],
      },
    })
    expect(askedIn(new URLSearchParams(listAddress(all).split('?')[1]))).toEqual(all)
  })

  test('an address: the usual order and columns, and values that do not fit, are left out', () => {
    const query = 'order=newest&columns=created&columns=state&columns=folio&columns=kind'
    expect(listAddress(askedIn(new URLSearchParams(query)))).toBe('/dashboard/documents')
    const unfit = `order=up&columns=x&signer=me&signingSession=1&text=${'a'.repeat(201)}`
    expect(listAddress(askedIn(new URLSearchParams(unfit)))).toBe('/dashboard/documents')
  })

  test('an address: columns stand in the order of the screen, each once', () => {
    const query = 'columns=created&columns=awaited&columns=created&columns=x'
    expect(askedIn(new URLSearchParams(query)).columns).toEqual(['awaited', 'created'])
  })

  test('active filters: signer and session have a link each', () => {
    const shown = activeFilters(
      asked({ signer: ANA, signingSession: SigningSessionId.parse(ANA), order: 'title' }),
      office,
      uploaders,
      OWN,
    )
    expect(shown).toEqual([
      {
        name: 'Firmante: Ana Ruiz',
        without: `/dashboard/documents?signingSession=${ANA}&order=title`,
      },
      { name: 'De una sesión de firma', without: `/dashboard/documents?signer=${ANA}&order=title` },
    ])
  })

  test('active filters: the reader, and a user who is not known', () => {
    const nameOf = (by: UserId) =>
      activeFilters(asked({ by }), office, uploaders, OWN).map(({ name }) => name)
    expect(nameOf(OWN)).toEqual(['Subido por mí'])
    expect(nameOf(UserId.parse('5f2c8a52-5a3c-4a56-9d0c-0d8e7a3a1c13'))).toEqual([
      'Subido por otra persona',
    ])
    expect(activeFilters(asked(), office, uploaders, OWN)).toEqual([])
  })

  test.each<[Partial<Asked>, string]>([
    [{}, 'Todavía no hay documentos. Suba el primero en PDF.'],
    [{ text: 'poder' }, 'coincide con la búsqueda. Busque con menos palabras'],
    [{ state: 'draft' }, 'coincide con los filtros. Quite uno de ellos.'],
    [{ kind: 'will', from: day('2026-11-01') }, 'Quite uno o amplíe las fechas.'],
    [{ text: 'poder', by: ANA }, 'Quite un filtro o busque con menos palabras.'],
    [{ from: day('2026-11-02'), to: day('2026-11-01') }, 'ningún día queda entre los dos'],
  ])('an empty list for %j: says how to find more', (wanted, sentence) => {
    const shown = noDocumentsText(asked(wanted), { wasCutShort: false, canUpload: true })
    expect(shown).toContain(sentence)
  })

  test('an empty page of a list that was cut short: says what was looked at', () => {
    expect(noDocumentsText(asked({ by: ANA }), { wasCutShort: true, canUpload: true })).toBe(
      'Nada entre los documentos más recientes.',
    )
  })
})
