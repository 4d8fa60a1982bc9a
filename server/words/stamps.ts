import type { PlacedStamp, StampObstacle } from '#server/domain/signing/stamp/stamp-outlook.ts'

/** Why a signature in a document that arrived signed will not be visible. */
export const stampObstacles = {
  closed: 'Una de las firmas con las que llegó el archivo no admite ninguna firma más.',
  certified:
    'La firma no se verá en las páginas: el archivo llegó certificado, y esa certificación no admite que se agregue nada que se vea. La firma vale igual.',
  'no-colours':
    'La firma no se verá en las páginas: el archivo es PDF/A y no dice qué significan sus colores; después de una firma ya no se le puede agregar. La firma vale igual.',
  'no-place':
    'La firma no se verá en las páginas: no se encontró un lugar que con seguridad esté en blanco. En páginas escaneadas, giradas o con fondo de color no se pone nada encima. La firma vale igual.',
} satisfies Record<StampObstacle, string>

/** `en la página 7, abajo a la derecha` */
export const stampPlaceWords = (place: PlacedStamp): string =>
  `en la página ${place.page}, ${partOfPage(place)}`

/** `abajo a la derecha` */
export function partOfPage({ left, top, width, height }: Omit<PlacedStamp, 'page'>): string {
  const [x, y] = [left + width / 2, top + height / 2]
  const row = y < 1000 / 3 ? 'arriba' : y < 2000 / 3 ? 'a media página' : 'abajo'
  const isCentred = Math.abs(x - 500) < 60
  return `${row} ${isCentred ? 'al centro' : x < 500 ? 'a la izquierda' : 'a la derecha'}`
}
