/**
 * A file of authorities of which only a part was read, es-MX.
 *
 * @param file the subject of the sentence: `El archivo`
 * @param most how many certificates of a file are read
 */
export const tooManyCertificates = (file: string, most: number): string =>
  `${file} tiene más de ${most} certificados: se leyeron los primeros ${most}. Divídalo para importar los demás.`
