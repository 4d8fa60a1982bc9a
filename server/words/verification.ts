/** The verdict about a file that the worker could not finish. */
export const TOO_COMPLEX_TO_VERIFY =
  'El archivo es demasiado complejo para verificarlo aquí, por lo que no se llegó a un dictamen.'
