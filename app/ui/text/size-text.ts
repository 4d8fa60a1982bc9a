const MEGABYTE = 1024 * 1024

/** `340 bytes`, `12 KB`, `4.5 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  if (bytes < MEGABYTE) return `${Math.round(bytes / 1024)} KB`
  return `${(bytes / MEGABYTE).toLocaleString('es-MX', { maximumFractionDigits: 1 })} MB`
}
