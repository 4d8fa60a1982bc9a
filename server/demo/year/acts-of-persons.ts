import { addressed, characterOf, drawClient, drawFirm } from './clients.ts'
import type { Paper } from './drafted.ts'

const POWERS = [
  {
    name: 'Poder general para pleitos y cobranzas',
    text: 'poder general para pleitos y cobranzas, con todas las facultades generales y aun con las especiales que de acuerdo con la ley requieran cláusula especial',
  },
  {
    name: 'Poder general para actos de administración',
    text: 'poder general para actos de administración, en los términos del segundo párrafo del artículo dos mil quinientos cincuenta y cuatro del Código Civil',
  },
  {
    name: 'Poder especial para vender',
    text: 'poder especial, tan amplio como en derecho sea necesario, para vender el inmueble que se describe y recibir su precio',
  },
  {
    name: 'Poder especial para trámites ante el SAT',
    text: 'poder especial para comparecer ante el Servicio de Administración Tributaria y realizar toda clase de trámites, avisos y solicitudes',
  },
] as const

const power: Paper = {
  weight: 9,
  draft(chance) {
    const [giver, agent] = [drawClient(chance), drawClient(chance)]
    const { name, text } = chance.pick(POWERS)
    return {
      ...{ title: `${name} · ${giver.name}`, kind: 'power-of-attorney', act: name },
      heading: name.toLocaleUpperCase('es-MX'),
      parties: [
        { name: giver.name, character: 'Poderdante' },
        { name: agent.name, character: characterOf(agent, 'Apoderado') },
      ],
      paragraphs: [
        `Comparece ${addressed(giver)} y otorga en favor de ${addressed(agent)} ${text}.`,
        'El poder se ejercerá conjunta o separadamente y podrá revocarse en cualquier tiempo.',
      ],
    }
  },
}

const will: Paper = {
  weight: 4,
  draft(chance) {
    const [person, heir] = [drawClient(chance), drawClient(chance)]
    return {
      ...{ title: `Testamento público abierto · ${person.name}`, kind: 'will', act: 'Testamento' },
      heading: 'TESTAMENTO PÚBLICO ABIERTO',
      parties: [{ name: person.name, character: characterOf(person, 'Testador') }],
      paragraphs: [
        `Comparece ${addressed(person)}, quien me manifiesta su voluntad de otorgar testamento público abierto y dicta las cláusulas siguientes.`,
        `PRIMERA. Instituye como ${characterOf(heir, 'heredero')} universal a ${addressed(heir)} y, en su defecto, a sus descendientes.`,
        'SEGUNDA. Nombra albacea a la misma persona y la releva de caucionar su manejo.',
      ],
    }
  },
}

const CONTRACTS = ['contrato de mutuo', 'convenio de confidencialidad', 'contrato de comodato']

const ratification: Paper = {
  weight: 6,
  draft(chance) {
    const [one, other] = [drawClient(chance), drawClient(chance)]
    const contract = chance.pick(CONTRACTS)
    return {
      ...{ title: `Ratificación de firmas · ${contract} de ${one.name}`, kind: 'ratification' },
      ...{ heading: 'RATIFICACIÓN DE FIRMAS', act: 'Ratificación de contenido y firmas' },
      parties: [one, other].map(({ name }) => ({ name, character: 'Compareciente' })),
      paragraphs: [
        `Comparecen ${addressed(one)} y ${addressed(other)} y reconocen como suyas las firmas que aparecen al calce del ${contract} que me exhiben, por ser las que usan en todos sus asuntos.`,
        'El documento ratificado se agrega al apéndice con la letra A.',
      ],
    }
  },
}

const FACTS = [
  'estado de un inmueble en construcción',
  'entrega de mercancías',
  'contenido de una página de internet',
  'apertura de caja de seguridad',
  'inventario de bienes muebles',
]

const facts: Paper = {
  weight: 5,
  draft(chance) {
    const asker = drawClient(chance)
    const what = chance.pick(FACTS)
    return {
      ...{ title: `Fe de hechos · ${what} a solicitud de ${asker.last}`, kind: 'act' },
      ...{ heading: 'ACTA DE FE DE HECHOS', act: 'Fe de hechos' },
      parties: [{ name: asker.name, character: 'Solicitante' }],
      paragraphs: [
        `A petición de ${addressed(asker)} me constituí en el domicilio que señala y doy fe de lo que percibí por mis sentidos: ${what}.`,
        'De la diligencia se tomaron fotografías, que rubrico y agrego al apéndice.',
      ],
    }
  },
}

const notice: Paper = {
  weight: 2,
  draft(chance) {
    const asker = drawClient(chance)
    const firm = drawFirm(chance)
    return {
      ...{ title: `Notificación a ${firm} · pedida por ${asker.last}`, kind: 'act' },
      ...{ heading: 'ACTA DE NOTIFICACIÓN', act: 'Notificación' },
      parties: [{ name: asker.name, character: 'Solicitante' }],
      paragraphs: [
        `A petición de ${addressed(asker)} notifiqué a “${firm}”, en el domicilio señalado, el contenido del escrito que se agrega, y dejé copia a quien me atendió.`,
      ],
    }
  },
}

/** Other instruments of the protocol. */
export const ACTS_OF_PERSONS: readonly Paper[] = [power, will, ratification, facts, notice]
