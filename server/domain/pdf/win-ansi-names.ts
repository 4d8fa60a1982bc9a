/** Names of the letters from 32 on, and from 192 on. */
const [FROM_32, FROM_192] = [
  `space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma hyphen
  period slash zero one two three four five six seven eight nine colon semicolon less equal greater question at
  A B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash bracketright asciicircum underscore grave
  a b c d e f g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde`,
  `Agrave Aacute Acircumflex Atilde Adieresis Aring AE Ccedilla Egrave Eacute Ecircumflex Edieresis Igrave Iacute
  Icircumflex Idieresis Eth Ntilde Ograve Oacute Ocircumflex Otilde Odieresis multiply Oslash Ugrave Uacute Ucircumflex
  Udieresis Yacute Thorn germandbls agrave aacute acircumflex atilde adieresis aring ae ccedilla egrave eacute
  ecircumflex edieresis igrave iacute icircumflex idieresis eth ntilde ograve oacute ocircumflex otilde odieresis divide
  oslash ugrave uacute ucircumflex udieresis yacute thorn ydieresis`,
].map((names) => names.split(/\s+/))

const OTHERS: Readonly<Record<number, string>> = {
  130: 'quotesinglbase',
  132: 'quotedblbase',
  133: 'ellipsis',
  138: 'Scaron',
  142: 'Zcaron',
  145: 'quoteleft',
  146: 'quoteright',
  147: 'quotedblleft',
  148: 'quotedblright',
  149: 'bullet',
  150: 'endash',
  151: 'emdash',
  154: 'scaron',
  158: 'zcaron',
  161: 'exclamdown',
  170: 'ordfeminine',
  171: 'guillemotleft',
  176: 'degree',
  183: 'periodcentered',
  186: 'ordmasculine',
  187: 'guillemotright',
  191: 'questiondown',
}

/** The name of the glyph of a code in WinAnsiEncoding; undefined for rare ones. @see ISO 32000-2:2020, D.2 */
export const winAnsiName = (code: number): string | undefined =>
  FROM_32?.[code - 32] ?? FROM_192?.[code - 192] ?? OTHERS[code]
