import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { MISREAD_LOOKS } from '#tests/attacks/misread-looks.ts'

testFamilies(MISREAD_LOOKS)
