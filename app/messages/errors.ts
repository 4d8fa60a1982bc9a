/** The error catalogue of the specification. */
export const errors = {
  connection: 'Error de conexión. Por favor, verifique su conexión a internet.',
  forbidden: 'No tiene permisos para realizar esta acción.',
  notFound: 'El recurso solicitado no fue encontrado.',
  server: 'Error del servidor. Por favor, intente más tarde.',
  unexpected: 'Ocurrió un error inesperado. Por favor, intente nuevamente.',
  sessionExpired: 'Su sesión ha expirado. Por favor, inicie sesión nuevamente.',
} as const
