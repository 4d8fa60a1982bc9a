/** Sentences of answers that are sent before the application is asked, and of its failures. */
export const plainAnswers = {
  methodNotAllowed: 'Método no permitido.',
  twoHosts: 'La solicitud dice dos veces a qué dirección va.',
  otherHost: 'Esta dirección no corresponde a este servicio.',
  notEncrypted: 'Este servicio solo atiende por https.',
  otherSite: 'La solicitud viene de otro sitio y fue rechazada.',
}
