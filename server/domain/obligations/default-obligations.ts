import type { Day } from '#server/domain/day.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { searchable } from '#server/domain/identity/text.ts'
import { ObligationId } from '#server/domain/ids.ts'
import type { DocumentTerm, MonthTerm, Obligation } from './obligation.ts'

/** When this catalogue was written, not when the laws were read. No lawyer confirmed it: pages say so until the office saves a term. */
const CATALOGUE_DAY = '2026-11-28' as Day

const afterSigning = (term: Partial<DocumentTerm>): DocumentTerm => ({
  ...{ basis: 'document', days: null, counting: 'natural', shift: 'stay', kinds: [], acts: [] },
  ...term,
})

const monthly = (day: number | null): MonthTerm => ({ basis: 'month', day, shift: 'stay' })

type Default = Pick<Obligation, 'name' | 'channel' | 'term' | 'source'> & {
  id: string
  /** Where it is known to apply; everywhere if absent, nowhere if empty. */
  entities?: readonly string[]
}

/**
 * What every office starts with. A term that is not known, or differs by state, is null or switched off, and a source that is not
 * known is null: the office notes them. Where it is not known whether days are working days, natural days are counted, which end
 * earlier; of a range of days, the shortest.
 */
const DEFAULTS: readonly Default[] = [
  {
    id: '5a7c6f0e-9a34-4d0e-8c55-0d6f0b1f6a01',
    name: 'DeclaraNOT: operaciones con inmuebles',
    channel: 'DeclaraNOT, portal del SAT',
    term: afterSigning({
      days: 15,
      acts: ['Compraventa', 'Donación', 'Adjudicación', 'Dación en pago', 'Permuta'],
    }),
    source: 'Ley del ISR, artículo 126; Ley del IVA, artículo 33',
  },
  {
    id: 'b0d1c2a4-3f0b-4f6a-9f0e-4f1a7e6c5b02',
    name: 'Avisos de actividades vulnerables (PLD)',
    channel: 'SPPLD, portal del SAT; informe en ceros si no hubo',
    term: monthly(17),
    source: 'LFPIORPI, artículo 17, fracción XII, apartado A',
  },
  {
    id: 'c9e7b3d5-61f2-4c8e-a7d3-2b5f8a9c0d03',
    name: 'Aviso de testamento',
    channel: 'Archivo General de Notarías, RENAT',
    term: afterSigning({ days: 3, counting: 'working', kinds: ['will'], acts: ['Testamento'] }),
    source: null,
  },
  {
    id: 'd3f5a8c6-7b14-4e9d-b2c6-6a8e1f0d4e04',
    name: 'Segundo aviso preventivo',
    channel: 'Registro Público de la Propiedad',
    term: afterSigning({
      days: 2,
      acts: ['Compraventa', 'Donación', 'Hipoteca', 'Adjudicación', 'Dación en pago', 'Permuta'],
    }),
    source: null,
  },
  {
    id: 'e8a2d4f7-2c36-4b5a-8e17-9d3c7b6a5f05',
    name: 'Índice electrónico del Colegio',
    channel: 'Colegio de Notarios, Módulo dos',
    term: afterSigning({
      days: 30,
      kinds: ['deed', 'act', 'ratification', 'power-of-attorney', 'will'],
    }),
    source: 'Ley del Notariado para la Ciudad de México, artículo 97; Reglamento, artículo 109',
    entities: ['Ciudad de México'],
  },
  {
    id: 'f1b6e9a8-4d58-4a7b-9c29-1e5d8c7b6a06',
    name: 'Aviso de poder',
    channel: 'RENAP',
    term: afterSigning({ kinds: ['power-of-attorney'], acts: ['Poder'] }),
    source: null,
    entities: [],
  },
  {
    id: '0c4f7b19-8e6a-4d2c-a53b-7f9e2d1c8b07',
    name: 'Lista mensual de instrumentos',
    channel: 'Autoridad de la entidad',
    term: monthly(null),
    source: null,
    entities: [],
  },
]

/** The obligations of an office that has changed none. */
export const defaultObligations = (office: Pick<Office, 'id' | 'entity'>): Obligation[] =>
  DEFAULTS.map(({ id, entities, ...facts }) => ({
    ...facts,
    ...{
      id: ObligationId.parse(id),
      officeId: office.id,
      sourceDay: facts.source === null ? null : CATALOGUE_DAY,
    },
    state: isKnownIn(office, entities) ? 'active' : 'off',
    ...{ at: null, by: null },
  }))

const isKnownIn = ({ entity }: Pick<Office, 'entity'>, entities: Default['entities']) =>
  entities === undefined || entities.some((one) => searchable(one) === searchable(entity))
