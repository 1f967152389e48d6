/** Texts in charsets. Their bytes were made by Python's codecs, which are independent of the parsers under test. */
export interface CharsetBytes {
  charset: string
  text: string
  bytes: Buffer
  /** A charset that is in no mail's header. */
  isOfBodies?: true
  label?: string
}

const everywhere: [charset: string, text: string, hex: string][] = [
  ['iso-8859-1', 'Grüße aus Köln, café', '4772fcdf6520617573204bf66c6e2c20636166e9'],
  ['iso-8859-2', 'Zażółć gęślą jaźń', '5a61bff3b3e62067eab66cb1206a61bcf1'],
  ['iso-8859-3', 'Ĥoraĵo ĉe ŝtono', 'a66f7261bc6f20e66520fe746f6e6f'],
  ['iso-8859-4', 'Ķekava, žāvēts lācis', 'd3656b6176612c20bee076ba7473206ce0636973'],
  ['iso-8859-5', 'Привет, мир', 'bfe0d8d2d5e22c20dcd8e0'],
  ['iso-8859-6', 'مرحبا بالعالم', 'e5d1cdc8c720c8c7e4d9c7e4e5'],
  ['iso-8859-7', 'Καλημέρα κόσμε', 'cae1ebe7ecddf1e120eafcf3ece5'],
  ['iso-8859-8', 'שלום עולם', 'f9ece5ed20f2e5eced'],
  ['iso-8859-8-i', 'שלום לך', 'f9ece5ed20ecea'],
  ['iso-8859-9', 'İstanbul güneşli', 'dd7374616e62756c2067fc6e65fe6c69'],
  ['iso-8859-10', 'Þórður í Reykjavík, Ŋ', 'def372f0757220ed205265796b6a6176ed6b2c20af'],
  ['iso-8859-13', 'Ąžuolas ir šaknis', 'c0fe756f6c617320697220f0616b6e6973'],
  ['iso-8859-14', 'Tŷ Ŵyn, Ẁ', '54fe20d0796e2c20a8'],
  ['iso-8859-15', '5 € für ein Œuvre', '3520a42066fc722065696e20bc75767265'],
  ['iso-8859-16', 'Țară și oraș, 5 €', 'de6172e320ba69206f7261ba2c203520a4'],
  ['windows-1250', 'Příliš žluťoučký kůň', '50f8ed6c699a209e6c759d6f75e86bfd206bf9f2'],
  ['windows-1251', 'Съешь ещё этих булок', 'd1fae5f8fc20e5f9b820fdf2e8f520e1f3ebeeea'],
  ['windows-1252', '“Grüße” – 5 €', '934772fcdf6594209620352080'],
  ['windows-1253', 'Καλημέρα, Άννα', 'cae1ebe7ecddf1e12c20a2edede1'],
  ['windows-1254', 'Iğdır, şeker', '49f064fd722c20fe656b6572'],
  ['windows-1255', 'שלום, ₪5', 'f9ece5ed2c20a435'],
  ['windows-1256', 'پاکستان، مرحبا', '81c798d3cac7e4a120e3d1cdc8c7'],
  ['windows-1257', 'Ģimene un ąžuolas', 'cc696d656e6520756e20e0fe756f6c6173'],
  ['windows-1258', 'đ, ơ, ư, 5 ₫', 'f02c20f52c20fd2c203520fe'],
  ['koi8-r', 'Привет, мир', 'f0d2c9d7c5d42c20cdc9d2'],
  ['koi8-u', 'Їжак і ґава', 'b7d6c1cb20a620adc1d7c1'],
  ['tis-620', 'สวัสดีชาวโลก', 'cac7d1cab4d5aad2c7e2c5a1'],
  ['macintosh', '“Grüße” – Köln', 'd247729fa765d320d0204b9a6c6e'],
  ['iso-2022-jp', 'こんにちは世界', '1b244224332473244b2441244f402433261b2842'],
  ['shift_jis', 'こんにちは①', '82b182f182c982bf82cd8740'],
  ['euc-jp', '日本語のメール', 'c6fccbdcb8eca4cea5e1a1bca5eb'],
  ['gb2312', '你好，世界', 'c4e3bac3a3accac0bde7'],
  ['gbk', '漢字與简体字', '9d68d7d6c563bcf2cce5d7d6'],
  ['gb18030', '你好 😀 世界', 'c4e3bac3209439fc3620cac0bde7'],
  ['big5', '繁體中文郵件', 'c163c5e9a4a4a4e5b66ca5f3'],
  ['euc-kr', '안녕하세요 세계', 'bec8b3e7c7cfbcbcbfe420bcbcb0e8'],
  ['ks_c_5601-1987', '똠방각하', '8c63b9e6b0a2c7cf'],
  ['utf-8', 'Grüße 👋 你好', '4772c3bcc39f6520f09f918b20e4bda0e5a5bd'],
  ['cp437', 'Grüße, ½ Stück', '477281e1652c20ab20537481636b'],
  ['cp850', 'Grüße, © Müller', '477281e1652c20b8204d816c6c6572'],
  ['cp852', 'Zażółć gęślą', '5a61bea288862067a9986ca5'],
  ['ibm866', 'Привет, мир', '8fe0a8a2a5e22c20aca8e0'],
  ['hz-gb-2312', '你好，世界 ok', '7e7b44633a43232c4a403d677e7d206f6b'],
  ['iso-2022-kr', '안녕하세요 ok', '1b2429430e3e483367474f3c3c3f640f206f6b'],
]

const ofBodies: [charset: string, label: string, text: string, hex: string][] = [
  ['utf-16, big-endian behind a mark', 'utf-16', 'Grüße, 世界', 'feff0047007200fc00df0065002c00204e16754c'],
  ['utf-16, big-endian behind a mark, with zeros as of little-endian', 'utf-16', '一丅一', 'feff4e004e054e00'],
  ['utf-16, little-endian behind a mark', 'utf-16', 'Grüße, 世界', 'fffe47007200fc00df0065002c002000164e4c75'],
  ['utf-16, big-endian without a mark', 'utf-16', 'Grüße, 世界', '0047007200fc00df0065002c00204e16754c'],
  ['utf-16, little-endian without a mark', 'utf-16', 'Grüße, 世界', '47007200fc00df0065002c002000164e4c75'],
  ['utf-16le', 'utf-16le', 'Grüße, 世界', '47007200fc00df0065002c002000164e4c75'],
  ['utf-16be', 'utf-16be', 'Grüße, 世界', '0047007200fc00df0065002c00204e16754c'],
]

export const CHARSET_BYTES: CharsetBytes[] = [
  ...everywhere.map(([charset, text, hex]) => ({ charset, text, bytes: Buffer.from(hex, 'hex') })),
  ...ofBodies.map(([charset, label, text, hex]) => ({ charset, label, text, bytes: Buffer.from(hex, 'hex'), isOfBodies: true as const })),
]
