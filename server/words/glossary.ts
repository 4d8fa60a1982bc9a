/* What technical words mean, es-MX: for "?" beside them. */

export type Term = keyof typeof glossary

export const glossary = {
  authority: {
    name: 'autoridad certificadora',
    text: 'Quien emite certificados y responde por ellos: para la e.firma, el SAT. La cadena va del certificado a una autoridad en la que este sistema confía.',
  },
  certificateNumber: {
    name: 'número de certificado',
    text: 'Las 20 cifras con las que el SAT identifica un certificado. Es el número que se cita en las hojas de firmas.',
  },
  constancia: {
    name: 'constancia NOM-151',
    text: 'Un prestador acreditado por la Secretaría de Economía certifica que este archivo existía en esa fecha y que desde entonces no ha cambiado.',
  },
  fingerprint: {
    name: 'huella digital',
    text: 'Un número que se calcula con el contenido completo. Si cambia una sola letra, la huella es otra: dos huellas iguales son el mismo archivo.',
  },
  lists: {
    name: 'lista de revocación',
    text: 'La lista que publica una autoridad con los certificados que ya no valen. Se consulta cuando no responde en línea.',
  },
  ocsp: {
    name: 'OCSP',
    text: 'La consulta en línea a la autoridad: si revocó el certificado, y cuándo.',
  },
  pades: {
    name: 'PAdES',
    text: 'La norma de las firmas dentro de un PDF. B-B es la firma sola; B-T agrega un sello de tiempo; B-LT, las respuestas de las autoridades; B-LTA, lo necesario para comprobarla aunque pasen los años.',
  },
  publicKey: {
    name: 'clave pública',
    text: 'La parte del par de claves que va en el certificado. Con ella cualquiera comprueba las firmas; para firmar se necesita la clave privada.',
  },
  revocation: {
    name: 'revocación',
    text: 'La autoridad retira un certificado antes de que venza, por ejemplo si su titular perdió la clave. Lo que se firma después ya no vale.',
  },
} as const
