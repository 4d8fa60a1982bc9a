import type { SignatureCodes } from '#server/domain/verification/codes/signature-codes.ts'
import { NAMELESS } from '#server/words/quoted.ts'
import { DOWNLOAD_AGAIN, dayText, timeText } from './phrases.ts'
import type { SentencesOf } from './words.ts'

/** What stands against a signature itself, or is odd about it, es-MX. */
export const SIGNATURES: SentencesOf<SignatureCodes> = {
  'byte-range-missing': () =>
    'Falta el intervalo de bytes firmado (ByteRange), como en una falsificación universal.',
  'byte-range-impossible': () =>
    'El intervalo de bytes firmado (ByteRange) es imposible, como en una falsificación universal.',
  'byte-range-beyond-file': () =>
    `Lo firmado llega más allá del final del archivo: está incompleto. ${DOWNLOAD_AGAIN}`,
  'contents-misplaced': () => 'La firma no está donde debe estar en el archivo.',
  'gap-differs-from-contents': () =>
    'El intervalo firmado no deja fuera exactamente la firma, como debe.',
  'objects-in-gap': () =>
    'El intervalo firmado deja fuera objetos ajenos a la firma, como en un ataque de envoltura (signature wrapping).',
  'foreign-bytes-in-contents': () => 'Dentro de la firma hay bytes que no son suyos.',
  'signed-end-inside-revision': () =>
    'No está claro hasta dónde llega lo firmado: el resto del archivo pudo agregarse después.',

  'contents-missing': () =>
    'Falta el contenido de la firma (Contents), como en una falsificación universal.',
  'contents-empty': () => 'El campo de firma no contiene ninguna firma.',
  'format-unsupported': ({ format }) =>
    `El formato de la firma (${format || NAMELESS}) no se puede comprobar aquí.`,
  'certificate-entry-missing': () => 'La firma no trae el certificado (Cert) que su formato exige.',
  'cms-damaged': () => 'La firma está dañada: no es una estructura CMS legible.',
  'cms-misencoded': () =>
    'El campo de firma no contiene una firma: su estructura CMS está mal codificada y ningún programa la puede leer.',
  'signer-count-wrong': () =>
    'La firma no tiene exactamente un firmante, como exige el formato PDF.',
  'timestamp-content-missing': () => 'El sello de tiempo no contiene lo que debe contener.',
  'content-type-wrong': () => 'La firma no es sobre datos simples, como exige el formato PDF.',
  'sha1-digest-missing': () => 'La firma no contiene la huella SHA-1 que su formato exige.',
  'content-embedded': () => 'La firma trae su propio contenido: no dice nada sobre este documento.',
  'too-many-signatures': () => 'El archivo tiene demasiadas firmas para comprobarlas todas.',

  'signed-content-differs': () => 'Lo firmado no es lo que contiene el archivo: fue modificado.',
  'signature-differs': () => 'La firma no corresponde al certificado del firmante.',
  'signature-algorithm-unsupported': () => 'El algoritmo de la firma no se admite.',
  'algorithms-incompatible': () => 'La firma combina dos algoritmos que no van juntos.',
  'signed-content-too-large': () =>
    'Lo firmado es demasiado grande para comprobar una firma sin atributos firmados.',
  'signed-attributes-malformed': () => 'Los atributos firmados no cumplen el formato.',
  'modified-after-signature': () => 'El documento fue modificado después de esta firma.',
  'annotated-after-signature': () => 'Se agregaron anotaciones después de esta firma.',
  'written-over-after-signature': () =>
    'Después de esta firma se llenó un campo encima de texto firmado.',
  'algorithm-unknown': () => 'Se usó un algoritmo desconocido.',
  'signer-certificate-missing': () =>
    'La firma no trae el certificado del firmante: no se puede comprobar.',
  'key-unsupported': () =>
    'La clave del certificado es de un tamaño o una curva que no se comprueba.',
  'algorithm-weak': () => 'Se firmó con un algoritmo débil.',
  'certificate-not-bound': () => 'La firma no dice con qué certificado se hizo.',
  'issuer-misnamed': () =>
    'La firma nombra mal a quien emitió su certificado; el certificado se reconoce por su huella.',

  'signed-in-two-ways': () =>
    'Lo que se firmó se puede leer de dos maneras: no está claro qué documento cubre la firma.',
  'signature-without-field': () =>
    'La firma no pertenece a ningún campo del formulario del documento.',
  'signature-key-repeated': () =>
    'El diccionario de la firma repite una clave: dos programas podrían leer dos firmas.',
  'data-after-signature': () => 'Después de la firma hay datos ajenos a ella.',
  'irregular-after-signature': ({ byte }) =>
    `Lo que se agregó después de la firma no está escrito como debe (byte ${byte}): cada programa lo repara a su manera y pueden mostrar documentos distintos.`,
  'unsigned-attributes-damaged': () =>
    'Lo que se agregó a la firma sin firmarse está dañado: si traía sellos de tiempo, se perdieron.',
  'signature-in-several-fields': () => 'Varios campos del formulario muestran la misma firma.',
  'data-after-signed-bytes': () =>
    'El archivo tiene datos después de lo firmado que no forman una revisión.',

  'attack-shadow-hide': () =>
    'Después de firmar se quitó algo que se veía: así descubre lo que estaba tapado el ataque “shadow” que oculta (hide).',
  'attack-shadow-replace': () =>
    'Después de firmar se cambió cómo se ve un texto o un campo: así actúa el ataque “shadow” que sustituye (replace).',
  'attack-shadow-hide-and-replace': () =>
    'Lo que se muestra ahora estaba escondido en el archivo que se firmó: así actúa el ataque “shadow” que oculta y sustituye (hide and replace).',
  'attack-incremental-saving': () =>
    'Una revisión posterior cambia lo que se firmó: así actúa el ataque de guardado incremental.',
  'attack-overlay-by-annotation': () =>
    'Después de firmar se puso en una página algo que puede tapar lo firmado: así actúa el ataque de superposición con anotaciones.',
  'attack-sneaky-sharing': () =>
    'Un mismo objeto sirve a un campo y a otra parte del documento: así actúa el ataque de objetos compartidos (sneaky sharing).',
  'attack-trailer-or-catalog-swap': () =>
    'El archivo lleva ahora a otro documento que el firmado: así actúa la sustitución del tráiler o del catálogo.',
  'locked-field-changed': () => 'Se cambió un campo que la firma bloquea (FieldMDP).',
  'certification-not-first': () =>
    'La firma dice certificar el documento, y solo la primera certificación cuenta.',

  'claimed-time-unreadable': () =>
    'La fecha de la firma que está escrita en el PDF no es una fecha.',
  'claimed-time-in-future': () => 'La fecha que declara la firma está en el futuro.',
  'claimed-time-before-certificate': ({ claimedTime, notBefore }) =>
    `La fecha que declara la firma (${dayText(claimedTime)}) es anterior a su certificado, que empezó a valer el ${dayText(notBefore)}.`,
  'claimed-time-after-certificate': ({ claimedTime, notAfter }) =>
    `La fecha que declara la firma (${dayText(claimedTime)}) es posterior a su certificado, que venció el ${dayText(notAfter)}.`,
  'claimed-time-after-proven-time': () =>
    'La fecha que declara la firma es posterior a la que prueba su sello de tiempo.',
  'claimed-times-disagree': ({ claimedTime, signingTime }) =>
    `La firma declara dos fechas distintas: ${timeText(claimedTime)} y ${timeText(signingTime)}.`,
}
