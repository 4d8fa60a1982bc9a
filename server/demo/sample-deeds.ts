import type { SampleDeed } from './sample-deed.ts'

/** Stands in every document of the demo. */
export const FICTION =
  'Documento de demostración: las personas, los inmuebles y los actos que se mencionan no existen y nada de lo que aquí se dice tiene validez.'

const CLOSING =
  'Leído que fue el presente instrumento a los comparecientes y explicados su valor y fuerza legal, manifestaron su plena comprensión y su conformidad con él.'

/** What the demo office has on its table. `signers` are slugs of its people, in order; none for a draft. */
export const SAMPLE_DEEDS: readonly (SampleDeed & { signers: readonly string[] })[] = [
  {
    title: 'Escritura 4,521 · Compraventa de casa habitación',
    kind: 'deed',
    instrument: {
      number: '4,521',
      volume: '118',
      folios: '64 a 66 vuelta',
      date: '2026-11-20',
      acts: 'Compraventa',
      parties: [
        { name: 'Íñigo Muñoz Agüero', character: 'Vendedor' },
        { name: 'Begoña Peñaloza Yáñez', character: 'Compradora' },
      ],
    },
    signers: [],
    heading: 'INSTRUMENTO CUATRO MIL QUINIENTOS VEINTIUNO',
    paragraphs: [
      FICTION,
      'En la Ciudad de México, a los veinte días del mes de noviembre de dos mil veintiséis, ante mí, la licenciada María Ángeles Núñez Ibáñez, titular de la notaría número doce, comparecieron, como parte vendedora, don Íñigo Muñoz Agüero y, como parte compradora, doña Begoña Peñaloza Yáñez, quienes formalizan el contrato de compraventa que se consigna al tenor de las cláusulas siguientes.',
      'PRIMERA. La parte vendedora vende, y la parte compradora adquiere para sí, libre de todo gravamen y al corriente en el pago de sus contribuciones, la casa marcada con el número doscientos dos de la calle de Las Cañas, colonia El Peñón.',
      'SEGUNDA. El precio de la operación es la cantidad de $2,850,000.00 (dos millones ochocientos cincuenta mil pesos 00/100 moneda nacional), que la parte vendedora declara recibida a su entera satisfacción mediante transferencia electrónica.',
      'TERCERA. Los gastos, derechos, impuestos y honorarios que se causen con motivo de esta escritura son por cuenta de la parte compradora, con excepción del impuesto sobre la renta, que corresponde a la vendedora.',
      CLOSING,
    ],
  },
  {
    title: 'Poder general para pleitos y cobranzas',
    kind: 'power-of-attorney',
    signers: [],
    heading: 'PODER GENERAL PARA PLEITOS Y COBRANZAS',
    paragraphs: [
      FICTION,
      'Comparece doña Ángela Ibargüengoitia Núñez y otorga en favor del licenciado Ulises Ordóñez Güereña poder general para pleitos y cobranzas, con todas las facultades generales y aun con las especiales que de acuerdo con la ley requieran poder o cláusula especial.',
      'El apoderado podrá, en consecuencia, presentar y contestar demandas, desistirse, transigir, comprometer en árbitros, absolver y articular posiciones, recusar, recibir pagos e interponer toda clase de recursos.',
      CLOSING,
    ],
  },
  {
    title: 'Copia certificada · Acta constitutiva de Comercializadora Ñandú',
    kind: 'certified-copy',
    instrument: {
      number: '3,987',
      volume: '114',
      folios: null,
      date: '2025-03-15',
      acts: 'Constitución de sociedad',
      parties: [{ name: 'Comercializadora Ñandú, S.A. de C.V.', character: 'Sociedad' }],
    },
    signers: ['abogada', 'notaria-titular'],
    heading: 'COPIA CERTIFICADA ELECTRÓNICA',
    paragraphs: [
      FICTION,
      'La presente reproducción concuerda fielmente con su original, que tuve a la vista y obra en el protocolo a mi cargo con el número tres mil novecientos ochenta y siete, volumen ciento catorce, de fecha quince de marzo de dos mil veinticinco.',
      'Por dicho instrumento se constituyó “Comercializadora Ñandú”, sociedad anónima de capital variable, con domicilio en la Ciudad de México, duración indefinida y capital social mínimo fijo de $100,000.00 (cien mil pesos 00/100 moneda nacional).',
      'Se expide a solicitud de la sociedad, para los usos legales que a sus intereses convengan.',
    ],
  },
  {
    title: 'Fe de hechos · Entrega de documentación',
    kind: 'act',
    signers: ['notario-suplente'],
    heading: 'ACTA DE FE DE HECHOS',
    paragraphs: [
      FICTION,
      'A petición del señor Joaquín Güitrón Peña me constituí en el domicilio que señala y doy fe de que a las diez horas con quince minutos entregó, a quien dijo llamarse Saúl Zúñiga Ávila, un sobre cerrado con doce fojas útiles, cuyo contenido cotejé con el que obra en el apéndice.',
      CLOSING,
    ],
  },
]
