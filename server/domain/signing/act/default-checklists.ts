import type { ActId, OfficeId } from '#server/domain/ids.ts'
import type { Checklist, ChecklistItem } from './checklist.ts'

const before = (text: string): ChecklistItem => ({ text, phase: 'before', need: 'required' })
const maybe = (text: string): ChecklistItem => ({ text, phase: 'before', need: 'optional' })
const after = (text: string): ChecklistItem => ({ text, phase: 'after', need: 'required' })

const OF_PEOPLE = [
  before('Identificaciones vigentes de los comparecientes'),
  before('RFC y CURP de los comparecientes'),
]
const OF_CAPACITY = maybe('Personalidad y facultades de quien representa a otro')
const OF_PROPERTY = [
  before('Antecedente de propiedad'),
  before('Certificado de libertad de gravamen'),
  before('Aviso preventivo'),
  before('Predial y agua al corriente'),
  before('Avalúo'),
]
const TO_REGISTRY = after('Presentación en el Registro Público')
const TO_TAX = after('Avisos fiscales y declaraciones')

/**
 * Suggestions by the ids of the program's acts. They claim no law: an office compares them with that of its state and saves
 * them as its own.
 */
const SUGGESTED: Readonly<Record<string, readonly ChecklistItem[]>> = {
  // Compraventa
  '83258b57-429a-498c-9079-cbdaec32c0ba': [
    ...OF_PEOPLE,
    ...OF_PROPERTY,
    OF_CAPACITY,
    TO_TAX,
    TO_REGISTRY,
  ],
  // Compraventa con hipoteca
  '9253a8e9-022f-45ba-88e2-e054823d17e1': [
    ...OF_PEOPLE,
    ...OF_PROPERTY,
    before('Carta de instrucción del acreedor'),
    OF_CAPACITY,
    TO_TAX,
    TO_REGISTRY,
  ],
  // Donación
  '5b344dae-33c9-4231-b529-fb9f91417288': [
    ...OF_PEOPLE,
    ...OF_PROPERTY,
    OF_CAPACITY,
    TO_TAX,
    TO_REGISTRY,
  ],
  // Hipoteca
  '9c080789-e5b0-48a0-b57d-558986a5c4f2': [
    ...OF_PEOPLE,
    before('Certificado de libertad de gravamen'),
    before('Aviso preventivo'),
    OF_CAPACITY,
    TO_REGISTRY,
  ],
  // Poder
  '1fd1f74c-6090-4212-a01f-8de89e32fa66': [
    ...OF_PEOPLE,
    OF_CAPACITY,
    after('Aviso al registro de poderes'),
  ],
  // Testamento
  '2ff0d08b-2eba-4620-a586-661ba33ed739': [
    ...OF_PEOPLE,
    maybe('Testigos o intérprete'),
    after('Aviso de testamento al Archivo General de Notarías'),
  ],
  // Adjudicación por herencia
  'd10811f9-ea04-4494-a42b-9ac09a3dd8da': [
    ...OF_PEOPLE,
    before('Declaratoria de herederos o testamento'),
    ...OF_PROPERTY,
    TO_TAX,
    TO_REGISTRY,
  ],
  // Constitución de sociedad
  'ca585815-7388-495c-9b57-0856e65bcfaf': [
    ...OF_PEOPLE,
    before('Autorización de uso de denominación'),
    before('Constancias de situación fiscal de los socios'),
    after('Aviso de uso de la denominación'),
    TO_REGISTRY,
  ],
}

/** The list that the program suggests for an act; empty for an act of the office. */
export const suggestedChecklist = (officeId: OfficeId, actId: ActId): Checklist => ({
  ...{ officeId, actId, items: [...(SUGGESTED[actId] ?? [])], at: null },
})
