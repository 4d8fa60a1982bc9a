/** Sentences of answers that are sent before the application is asked, and of its failures. */
export const plainAnswers = {
  methodNotAllowed: 'Método no permitido.',
  twoHosts: 'La solicitud dice dos veces a qué dirección va.',
  otherHost: 'Esta dirección no corresponde a este servicio.',
  notEncrypted: 'Este servicio solo atiende por https.',
  tooBusy:
    'Hay demasiadas solicitudes en este momento. Espere unos segundos y vuelva a intentarlo; si envió un formulario, actualice esta página para enviarlo otra vez.',
  otherSite: 'La solicitud viene de otro sitio y fue rechazada.',
}
