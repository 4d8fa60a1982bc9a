import { addressed, characterOf, drawClient, drawFirm } from './clients.ts'
import type { Paper } from './drafted.ts'

const HOMES = [
  'el departamento 302 de la calle de Moctezuma 118, colonia Del Carmen',
  'la casa marcada con el número 45 de la calle de Aguayo, colonia Villa Coyoacán',
  'el departamento 7 del edificio B de la avenida de las Torres 960, colonia El Rosedal',
  'el terreno del lote 14, manzana 6, del fraccionamiento Los Colorines',
  'el local comercial 3 de la plaza de la Conchita 22, colonia La Concepción',
  'la casa dúplex número 9 de la privada de Zapote, barrio de San Lucas',
]
const HOME_NAMES = ['departamento', 'casa habitación', 'terreno', 'local comercial'] as const
const PRICES = [
  '$1,980,000.00 (un millón novecientos ochenta mil pesos 00/100 moneda nacional)',
  '$2,450,000.00 (dos millones cuatrocientos cincuenta mil pesos 00/100 moneda nacional)',
  '$3,120,000.00 (tres millones ciento veinte mil pesos 00/100 moneda nacional)',
  '$4,675,000.00 (cuatro millones seiscientos setenta y cinco mil pesos 00/100 moneda nacional)',
]
const ACCEPTED = 'Las partes se sujetan a las leyes y tribunales de la Ciudad de México.'

const sale: Paper = {
  weight: 9,
  draft(chance) {
    const [seller, buyer] = [drawClient(chance), drawClient(chance)]
    const home = chance.pick(HOME_NAMES)
    const parties = [
      { name: seller.name, character: characterOf(seller, 'Vendedor') },
      { name: buyer.name, character: characterOf(buyer, 'Comprador') },
    ]
    return {
      ...{ title: `Compraventa de ${home} · ${buyer.last}`, kind: 'deed', act: 'Compraventa' },
      ...{ heading: 'CONTRATO DE COMPRAVENTA', parties },
      paragraphs: [
        `Comparecen ${addressed(seller)}, como parte vendedora, y ${addressed(buyer)}, como parte compradora, quienes formalizan el contrato de compraventa que se consigna al tenor de las cláusulas siguientes.`,
        `PRIMERA. La parte vendedora vende, y la parte compradora adquiere para sí, libre de todo gravamen, ${chance.pick(HOMES)}.`,
        `SEGUNDA. El precio de la operación es la cantidad de ${chance.pick(PRICES)}, que la parte vendedora declara recibida a su entera satisfacción.`,
        ACCEPTED,
      ],
    }
  },
}

const gift: Paper = {
  weight: 4,
  draft(chance) {
    const [giver, taker] = [drawClient(chance), drawClient(chance)]
    const parties = [
      { name: giver.name, character: 'Donante' },
      { name: taker.name, character: characterOf(taker, 'Donatario') },
    ]
    return {
      ...{ title: `Donación de inmueble · ${giver.last}`, kind: 'deed', act: 'Donación' },
      ...{ heading: 'CONTRATO DE DONACIÓN', parties },
      paragraphs: [
        `Comparecen ${addressed(giver)} y ${addressed(taker)} y formalizan la donación pura y simple de ${chance.pick(HOMES)}.`,
        'La parte donataria acepta la donación y agradece la liberalidad de que es objeto. La parte donante se reserva bienes suficientes para su subsistencia.',
        ACCEPTED,
      ],
    }
  },
}

const company: Paper = {
  weight: 4,
  draft(chance) {
    const [one, other] = [drawClient(chance), drawClient(chance)]
    const firm = drawFirm(chance)
    const parties = [one, other].map((partner) => ({
      name: partner.name,
      character: characterOf(partner, 'Socio'),
    }))
    return {
      ...{ title: `Constitución de ${firm}`, kind: 'deed', act: 'Constitución de sociedad' },
      ...{ heading: 'CONSTITUCIÓN DE SOCIEDAD', parties },
      paragraphs: [
        `Comparecen ${addressed(one)} y ${addressed(other)} y constituyen “${firm}”, con domicilio en la Ciudad de México, duración indefinida y cláusula de admisión de extranjeros.`,
        'El capital social mínimo fijo es de $100,000.00 (cien mil pesos 00/100 moneda nacional), íntegramente suscrito y pagado en efectivo.',
        'La administración se confía a un administrador único, con las facultades que señalan los estatutos.',
      ],
    }
  },
}

const meeting: Paper = {
  weight: 5,
  draft(chance) {
    const delegate = drawClient(chance)
    const firm = drawFirm(chance)
    const parties = [
      { name: firm, character: 'Sociedad' },
      { name: delegate.name, character: characterOf(delegate, 'Delegado') },
    ]
    return {
      ...{ title: `Protocolización de asamblea · ${firm}`, kind: 'deed' },
      ...{ act: 'Protocolización de acta de asamblea', parties },
      heading: 'PROTOCOLIZACIÓN DE ACTA DE ASAMBLEA',
      paragraphs: [
        `Comparece ${addressed(delegate)}, en ejecución de los acuerdos de la asamblea general de accionistas de “${firm}”, y me exhibe el acta, que dejo protocolizada y agrego al apéndice.`,
        'La asamblea aprobó los estados financieros del ejercicio, ratificó al administrador único y autorizó el aumento del capital variable.',
      ],
    }
  },
}

const mortgage: Paper = {
  weight: 4,
  draft(chance) {
    const owner = drawClient(chance)
    return {
      ...{ title: `Cancelación de hipoteca · ${owner.last}`, kind: 'deed' },
      ...{ heading: 'CANCELACIÓN DE HIPOTECA', act: 'Cancelación de hipoteca' },
      parties: [{ name: owner.name, character: characterOf(owner, 'Deudor') }],
      paragraphs: [
        `La institución acreditante se da por pagada del crédito que otorgó a ${addressed(owner)} y consiente en que se cancele la hipoteca sobre ${chance.pick(HOMES)}.`,
        'El Registro Público de la Propiedad tildará la inscripción correspondiente.',
      ],
    }
  },
}

const estate: Paper = {
  weight: 3,
  draft(chance) {
    const [late, heir] = [drawClient(chance), drawClient(chance)]
    return {
      ...{ title: `Adjudicación por herencia · Sucesión de ${late.name}`, kind: 'deed' },
      ...{ heading: 'ADJUDICACIÓN POR HERENCIA', act: 'Adjudicación por herencia' },
      parties: [{ name: heir.name, character: characterOf(heir, 'Heredero') }],
      paragraphs: [
        `Comparece ${addressed(heir)}, como ${characterOf(heir, 'heredero')} ${characterOf(heir, 'único')} y albacea de la sucesión de ${addressed(late)}, y se adjudica ${chance.pick(HOMES)}.`,
        'Se tuvieron a la vista el testamento, la declaración de validez y el inventario, que se agregan al apéndice.',
      ],
    }
  },
}

/** Deeds of the protocol. */
export const DEEDS: readonly Paper[] = [sale, gift, company, meeting, mortgage, estate]
