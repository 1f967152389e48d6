import type { ShownForm } from './shown-forms.ts'

/** Further forms of hidden text, as in shown-forms.ts, by the part of CSS or HTML that hides it. */

const text = 'Your code is 999111.'
const p = '<p style="margin:0">Your code is 482913.</p>'
const styled = (css: string, body: string) => `<!doctype html><html><head><style>${css}</style></head><body style="margin:0">${body}</body></html>`
const escaped = (css: string) => css.replaceAll('"', '&quot;')

const ofStyles = (kind: string, isShown: boolean, styles: string[]): ShownForm[] =>
  styles.map((css) => ({ name: `${kind}: ${css}`, html: `<div style="${escaped(css)}">${text}</div>${p}`, isShown }))
const ofBodies = (kind: string, isShown: boolean, bodies: string[]): ShownForm[] =>
  bodies.map((html) => ({ name: `${kind}: ${html}`, html: html.replace('X', text) + p, isShown }))
/** @param forms styles of a page, and its body, in which X is the text */
const ofSheets = (kind: string, isShown: boolean, forms: [string, string][]): ShownForm[] =>
  forms.map(([css, body]) => ({ name: `${kind}: ${css} ${body}`, html: styled(css, body.replace('X', text) + p), isShown }))

const lengths = [
  ...ofStyles('lengths', false, [
    'font-size:calc(1px - 1px)', 'font-size:min(0px,10px)', 'font-size:max(0px, -3px)', 'font-size:clamp(0px, 5vw, .5px)', 'font-size:calc(2 * (3px - 3px) / 2)', 'font-size:0e3px',
    'font-size:calc(1px - 5px)', 'opacity:calc(1 - 1)', 'position:absolute;left:-100%', 'position:absolute;left:calc(-100% - 999px)', 'position:fixed;top:-500px', 'position:absolute;top:-300px',
    'position:absolute;right:100%', 'position:absolute;bottom:calc(100% + 1em)', 'position:fixed;top:100%', 'margin-left:calc(-2 * 1000px)', 'height:calc(1px * 0);overflow:hidden',
    'transform:translateX(calc(-1 * (1000px + 9em)))', 'transform:scale(.01)', 'scale:1%', 'transform:skewX(90deg)', 'zoom:0.01', 'zoom:1%', 'letter-spacing:-9999px', 'letter-spacing:calc(-9 * 99px)',
    'position:absolute;left:-200svw',
  ]),
  ...ofStyles('lengths', true, [
    'font-size:calc(1px + 1em)', 'font-size:calc(0)', 'font-size:calc(1px -1px)', 'font-size:calc(1px - 1)', 'font-size:min(12px, 5vw)', 'font-size:max(0px, 12px)', 'font-size:clamp(10px, 0px, 20px)',
    'position:relative;left:calc(50% - 300px)', 'position:relative;margin-left:calc(100% - 790px)', 'height:calc(100% - 0px);overflow:hidden', 'width:calc(100vw - 20px);overflow:hidden', 'transform:scale(-1)',
    'transform:translateX(calc(1px + 2px))', 'zoom:0', 'zoom:.8', 'zoom:normal', 'letter-spacing:-1px', 'letter-spacing:normal', 'opacity:calc(.5 + .5)',
  ]),
  ...ofBodies('lengths', true, [
    '<div style="position:absolute;left:300px"><p style="position:absolute;left:-100%;white-space:nowrap">X</p></div>', '<div style="zoom:2"><p style="zoom:.5">X</p></div>',
    '<div style="letter-spacing:-999px"><p style="letter-spacing:0">X</p></div>', '<div style="transform:translatex(600px)"><p style="position:fixed;left:-500px">X</p></div>',
  ]),
  ...ofBodies('lengths', false, [
    '<div style="position:relative"><p style="position:fixed;top:-500px">X</p></div>', '<div style="zoom:.1"><p style="zoom:.1">X</p></div>', '<div style="letter-spacing:-999px"><b>X</b></div>',
  ]),
]

const boxes = [
  ...ofStyles('boxes', false, [
    'block-size:0;overflow:hidden', 'max-block-size:0;overflow:hidden', 'inline-size:0;overflow:hidden', 'max-inline-size:0;overflow-inline:hidden', 'line-height:0;overflow:hidden', 'line-height:0px;overflow:clip',
    'font:16px/0 Arial;overflow:hidden', 'height:20px;padding-top:40px;box-sizing:border-box;max-height:20px;overflow:hidden', 'height:0;padding-top:30px;overflow:hidden', 'margin-inline-start:-9999px',
    'clip-path:rect(0 0 0 0)', 'clip-path:xywh(0 0 0 0)', 'clip-path:inset(9999px)', 'clip-path:polygon(0 0, 100% 100%)', 'clip-path:inset(0 0 calc(50% + 50%))', 'mask-image:linear-gradient(transparent,transparent)',
    'margin-inline:-9999px 0', 'position:absolute;inset-inline-start:-9999px', 'position:absolute;inset-block:-9999px auto', 'position:absolute;inset-inline:-9999px auto',
  ]),
  ...ofStyles('boxes', true, [
    'clip-path:rect(0 400px 40px 0)', 'clip-path:xywh(0 0 100% 100%)', 'clip-path:inset(1px)', 'mask-image:linear-gradient(#000,#000)', 'mask:none', 'block-size:20px;overflow:hidden', 'block-size:0', 'max-block-size:none;overflow:hidden', 'line-height:0', 'line-height:0;overflow:hidden;padding:20px 0', 'line-height:0;overflow:hidden;height:30px',
    'line-height:1;overflow:hidden', 'font:16px/1.2 Arial;overflow:hidden', 'height:40px;padding-top:10px;box-sizing:border-box;overflow:hidden', 'height:20px;padding-top:20px;overflow:hidden',
    'line-height:0;line-height:normal;overflow:hidden', 'block-size:0;padding-block:0 30px;overflow:hidden', 'margin-inline:10px', 'padding-inline-start:10px',
  ]),
  ...ofBodies('boxes', true, ['<div style="line-height:0;overflow:hidden"><p>X</p></div>', '<div style="line-height:0;overflow:hidden"><span style="line-height:20px">X</span></div>',
    '<div style="line-height:0;overflow:hidden"><div style="padding:20px">X</div></div>']),
  ...ofBodies('boxes', false, ['<div style="line-height:0;overflow:hidden"><div><b>X</b></div></div>']),
]

const colors = [
  ...ofStyles('colors', false, [
    'color:hwb(0 100% 0)', 'color:hwb(none 100% 0% / 1)', 'color:oklch(1 0 0)', 'color:oklch(100% 0 none)', 'color:oklab(1 0 0)', 'color:lab(100 0 0)', 'color:lab(100% 0 0)', 'color:lch(100 0 0)',
    'color:color(srgb 1 1 1)', 'color:color(srgb-linear 100% 100% 100%)', 'color:color(display-p3 1 1 1)', 'color:color(xyz .9505 1 1.089)', 'color:color(xyz-d50 .9642 1 .8252)',
    'color:color-mix(in srgb, white 100%, black)', 'color:color-mix(in oklch, white, #fefefe)', 'color:color-mix(in lab, black 0%, white)', 'color:color-mix(in srgb, transparent, transparent)', 'color:color-mix(white, white)',
    'color:rgb(from white r g b)', 'color:rgb(from black 255 calc(g + 255) 255)', 'color:hsl(from black h s 100%)', 'color:oklch(from black 1 0 h)', 'color:lab(from white l a b)', 'color:rgb(from red r g b / 0)',
    'color:#fff;text-shadow:0 0 2px #fff', 'color:transparent;text-shadow:0 0 2px rgba(0,0,0,0)', 'color:#fff;-webkit-text-stroke:1px white', 'color:#fff;text-shadow:1px 1px 1px',
    'color:#fff;text-shadow:0 0 2px #fff, 1px 1px #fff', 'color:Window', 'color:Menu', 'color:InfoBackground', 'color:Background', 'color:light-dark(white,black)', 'color:Canvas', 'color:Field', 'color:rgb(calc(250 + 5) 255 255)', 'color:rgb(none none none / 0)', 'color:hsl(.5turn 100% 100%)', 'color:rgba(255,255,255,calc(1))',
    'background:currentcolor', 'color:red;background-color:currentColor', 'color:#fff;background:linear-gradient(#fff,#fff)', 'color:#fff;background-image:linear-gradient(to right, white 0%, rgb(255 255 255) 100%)',
    'color:red;background:radial-gradient(circle, red, red)', 'color:#333;background:lab(0 0 0) linear-gradient(90deg,#333,#333)', 'background:CanvasText', 'color:oklch(0.627966 0.257704 29.2346);background:red',
    'color:lch(54.2905 106.837 40.8576);background:red', 'color:hwb(120 0% 0%);background:lime', 'color:#fff;background:linear-gradient(transparent,transparent)',
  ]),
  ...ofStyles('colors', true, [
    'color:hwb(0 0% 100%)', 'color:hwb(240 0% 0%)', 'color:oklch(.4 .1 20)', 'color:oklab(0 0 0)', 'color:lab(20 0 0)', 'color:lch(50 80 30)', 'color:color(srgb 0 0 0)', 'color:color(display-p3 1 0 0)',
    'color:color-mix(in srgb, white, black)', 'color:color-mix(in oklab, red 30%, blue)', 'color:rgb(from white calc(r - 255) 0 0)', 'color:hsl(from red h s l)', 'color:light-dark(black,white)', 'color:CanvasText',
    'color:#fff;text-shadow:0 0 2px #000', 'color:#fff;-webkit-text-stroke:1px #000', 'color:#fff;text-shadow:0 0 2px #fff, 0 0 3px red', 'color:WindowText', 'color:CaptionText', 'color:#fff;-webkit-text-stroke-width:1px;-webkit-text-stroke-color:#000',
    'color:rgb(from nothing r g b)', 'color:oklch(1 0)', 'color:hwb(0)', 'color:color(nothing 1 1 1)', 'color:color-mix(in srgb, white)', 'color:currentcolor', 'color:LinkText', 'background:LinkText',
    'color:#fff;background:linear-gradient(#000,#000)', 'color:#fff;background:linear-gradient(#fff,#000)', 'color:#fff;background:#000 linear-gradient(#fff,#fff) no-repeat 0 0/1px 1px', 'color:#fff;background:lab(10 0 0)',
    'color:white;background:#000;background-image:linear-gradient(#fff,#fff);background-size:0', 'color:white;background-image:linear-gradient(#fff,#fff);background:#000', 'color:#fff;background-image:linear-gradient(oklch(.3 .1 250), navy)',
    'background:linear-gradient(#fff,#fff)',
  ]),
  ...ofBodies('colors', false, ['<div style="color:#fff"><p style="color:currentcolor">X</p></div>', '<div style="color:#fff"><p style="-webkit-text-fill-color:currentcolor">X</p></div>']),
  ...ofBodies('colors', true, ['<div style="color:#fff;background:currentcolor"><p style="color:#000">X</p></div>']),
]

const elements = [
  ...ofBodies('elements', false, [
    '<audio>X</audio>', '<video>X</video>', '<video style="display:block"><p>X</p></video>', '<canvas>X</canvas>', '<meter value=1>X</meter>', '<progress value=1>X</progress>', '<svg width=0 height=0><text y=20>X</text></svg>',
    '<svg width="0"><text y=20>X</text></svg>', '<svg><defs><text y=20>X</text></defs></svg>', '<svg><symbol><text y=20>X</text></symbol></svg>', '<svg width=0 height=0><foreignObject width=300 height=30>X</foreignObject></svg>',
    '<svg style="width:0;height:0"><text y=20>X</text></svg>', '<svg><desc>X</desc></svg>', '<svg><clipPath><text y=20>X</text></clipPath></svg>',
  ]),
  ...ofBodies('elements', true, [
    '<div><video style="height:9px"></div>X', '<svg width=0 height=0><p>X</p>', '<svg width=0 height=0></svg>X', '<svg width=300 height=30><text y=20>X</text></svg>', '<defs>X</defs>', '<canvas height=9></canvas>X',
    '<svg width=0 height=0><span>a </span></svg>X', '<mask>X</mask>',
  ]),
]

const selectors = [
  ...ofSheets('selectors', false, [
    ['p.h:first-child{display:none}', '<div><p class=h>X</p></div>'], ['div p:nth-child(1){display:none}', '<div><p>X</p><p>b</p></div>'], ['p:first-of-type{color:#fff}', '<p>X</p>'],
    ['b+i{display:none}', '<b></b><i>X</i>'], ['b~i{display:none}', '<b></b><u></u><i>X</i>'], ['.w:has(b){display:none}', '<div class=w><b></b>X</div>'], ['.w:has(>b){display:none}', '<div class=w>X<b></b></div>'],
    ['.w:has(i, .y){display:none}', '<div class=w>X<u><b class=y></b></u></div>'], ['.w:not(:has(b)){display:none}', '<div class=w>X</div>'], ['.w :last-child{display:none}', '<div class=w><p>a</p><p>X</p></div>'],
    ['.w :nth-last-child(2){display:none}', '<div class=w><p>X</p><p>a</p></div>'], ['.w :only-child{display:none}', '<div class=w><p>X</p></div>'], ['.w p:last-of-type{display:none}', '<div class=w><p>X</p><i>a</i></div>'],
    ['.w p:only-of-type{display:none}', '<div class=w><b>a</b><p>X</p></div>'], ['.w p:nth-of-type(2n){display:none}', '<div class=w><p>a</p><b>a</b><p>X</p></div>'], ['.w :nth-child(odd){display:none}', '<div class=w><p>a</p><p>b</p><p>X</p></div>'],
    ['.w :nth-child(-n + 2){display:none}', '<div class=w><p>a</p><p>X</p><p>b</p></div>'], ['.w :not(:first-child){display:none}', '<div class=w><p>a</p><p>X</p></div>'], ['.w>:is(b,:last-child){display:none}', '<div class=w><p>a</p><p>X</p></div>'],
    ['style+p{display:none}', '<style></style><p>X</p>'], ['img + br + p{display:none}', '<img alt=""><br><p>X</p>'], ['.a > .b .c{display:none}', '<div class=a><div class=b><div class=b><p class=c>X</p></div></div></div>'],
    ['.a .b > .c{display:none}', '<div class=a><div><div class=b><p class=c>X</p></div></div></div>'], ['.a > .b + .c p{display:none}', '<div class=a><i class=b></i><div class=c><p>X</p></div></div>'],
    ['tr:first-child td{display:none}', '<table><tr><td>X</td></tr><tr><td>b</td></tr></table>'], ['tr:nth-child(2){display:none}', '<table><thead><tr><td>a</td></tr></thead><tr><td>a</td></tr><tr><td>X</td></tr></table>'],
    ['.a{+ .b{display:none}}', '<i class=a></i><p class=b>X</p>'], [':root .x{display:none}', '<p class=x>X</p>'], ['li:nth-child(2){display:none}', '<ul><li>a<li>X<li>b</ul>'], ['body > :first-child{display:none}', '<p>X</p>'],
    ['.x{display:none}.x:nth-child(2){display:block}', '<p class=x>X</p>'], ['.x{display:none}b + .x{display:block}', '<i></i><p class=x>X</p>'], ['.x{display:none}.x:has(u){display:block}', '<p class=x>X</p>'],
  ]),
  ...ofSheets('selectors', true, [
    ['p.h:first-child{display:none}', '<div><b>a</b><p class=h>X</p></div>'], ['div p:nth-child(2){display:none}', '<div><p>X</p><p>b</p></div>'], ['div p:first-of-type{color:#fff}', '<div><p></p><p>X</p></div>'],
    ['b+i{display:none}', '<b></b><u></u><i>X</i>'], ['b~i{display:none}', '<i>X</i><b></b>'], ['b+i{display:none}', '<p><b></b></p><i>X</i>'], ['.w:has(b){display:none}', '<div class=w>X</div><b></b>'],
    ['.w:has(>b){display:none}', '<div class=w>X<u><b></b></u></div>'], ['.w:not(:has(b)){display:none}', '<div class=w>X<b></b></div>'], ['.w :last-child{display:none}', '<div class=w><p>X</p><p>a</p></div>'],
    ['.w :nth-last-child(2){display:none}', '<div class=w><p>X</p></div>'], ['.w :only-child{display:none}', '<div class=w><p>X</p><br></div>'], ['.w p:last-of-type{display:none}', '<div class=w><p>X</p><p>a</p></div>'],
    ['.w :not(:first-child){display:none}', '<div class=w><p>X</p></div>'], ['.w :nth-child(0){display:none}', '<div class=w><p>X</p></div>'], ['.w :nth-child(2n){display:none}', '<div class=w><p>X</p></div>'],
    ['.a > .b .c{display:none}', '<div class=a><div><div class=b><p class=c>X</p></div></div></div>'], ['tr:first-child td{display:none}', '<table><thead></thead><tr><td>b</td></tr><tr><td>X</td></tr></table>'],
    ['tr:first-child td{display:none}', '<table><tr><td>b</td></tr><tr><td>X</td></tr></table>'], ['.x{display:none}.x:first-child{display:block}', '<p class=x>X</p>'], ['.x{display:none}b + .x{display:block}', '<b></b><p class=x>X</p>'],
    ['.x{display:none}.x:has(u){display:block}', '<p class=x>X<u></u></p>'], ['.x{display:none}.x:has(+ u){display:block}', '<p class=x>X</p><u></u>'], ['li:nth-child(2){display:none}', '<ul><li>X<li>a<li>b</ul>'],
    ['.x{display:none}.x:nth-child(1 of .x){display:block}', '<p class=x>X</p>'], ['.a ~ .b > .x{display:none}', '<i class=a></i><div><div class=b><p class=x>X</p></div></div>'], [':root{display:block}.x :root{display:none}', '<p class=x>X</p>'],
  ]),
]

const variables = [
  ...ofStyles('variables', false, ['--c:#fff;color:var(--c)', '--d:none;display:var(--d)', 'color:var(--x,#fff)', 'color:var(--x, var(--y, rgb(255, 255, 255)))', '--a:var(--b);--b:0;opacity:var(--a)',
    '--z:0;font-size:calc(var(--z) * 1px)', '--c:#000;--c:#fff !important;color:var(--c)', '--C:#fff;--c:#000;color:var(--C)']),
  ...ofStyles('variables', true, ['--c:#000;color:var(--c,#fff)', '--d:block;display:var(--d)', '--C:#fff;--c:#000;color:var(--c)', 'color:var(--x)', '--c:#fff;color:var(--d,#000)', '--c:#fff !important;--c:#000;color:#000']),
  ...ofBodies('variables', false, ['<div style="--c:#fff"><p style="color:var(--c)">X</p></div>', '<div style="--c:#000"><div style="--c:#fff"><p><b style="color:var(--c)">X</b></p></div></div>',
    '<div style="--c:#fff"><div style="--d:var(--c)"><p style="--c:#000;color:var(--d)">X</p></div></div>']),
  ...ofBodies('variables', true, ['<div style="--c:#fff"></div><p style="color:var(--c,#000)">X</p>', '<div style="--c:#fff"><div style="--c:#000"><p style="color:var(--c)">X</p></div></div>']),
  ...ofSheets('variables', false, [['.a{--c:#fff}.b{color:var(--c)}', '<div class=a><p class=b>X</p></div>'], ['*{--c:#fff}p.x{color:var(--c)}', '<p class=x>X</p>'], ['@layer a{.x{--c:#fff;color:var(--c)}}', '<p class=x>X</p>']]),
  ...ofSheets('variables', true, [['.a{--c:#fff}.b{color:var(--c,#000)}', '<p class=b>X</p>'], [':root{--c:#fff}.x:hover,.a{--c:#fff}.b{--c:#000}p{color:var(--c)}', '<div class=a><div class=b><p>X</p></div></div>'],
    [':root{--c:#fff}@media (max-width:900px){:root{--c:#000}}.b{color:var(--c)}', '<p class=b>X</p>'], ['.x{--d:none}@media print{.x{display:var(--d)}}', '<p class=x>X</p>']]),
  ...[['body{color:#fff}p+p{color:#000}', `<p>${text}</p>`], [':root{color:#fff}p+p{color:#000}', `<p>${text}</p>`]].map(([css, body]) => ({ name: `a page without a body: ${css}`, html: `<style>${css}</style>${body}${p}`, isShown: false })),
  { name: 'a page with a late body', html: `<div></div><body style="background:#000"><p style="color:#fff">${text}</p>`, isShown: true },
]

const pushed = [
  ...ofBodies('pushed out of its box', false, [
    '<div style="overflow:hidden;height:20px"><p style="margin-top:40px">X</p></div>', '<div style="overflow:hidden;height:10px"><div style="height:30px"></div>X</div>',
    '<div style="overflow:hidden;max-height:10px"><div style="height:30px">a</div><p>X</p></div>', '<div style="overflow:clip;height:10px"><div style="height:6px"></div><div style="height:6px"></div><div><b>X</b></div></div>',
    '<div style="overflow:hidden;height:20px"><div style="padding-top:40px">X</div></div>', '<div style="overflow:hidden;height:10px"><div><p style="height:30px"></p>X</div></div>',
  ]),
  ...ofBodies('pushed out of its box', true, [
    '<div style="overflow:hidden;height:40px"><p style="margin-top:10px">X</p></div>', '<div style="height:10px"><div style="height:15px"></div>X</div>',
    '<div style="overflow:hidden;height:30px"><div style="height:30px;display:inline-block"></div>X</div>', '<div style="overflow:hidden;height:30px"><div style="height:30px;float:left"></div>X</div>',
    '<div style="overflow:hidden;height:30px"><div style="height:30px;position:absolute"></div>X</div>', '<div style="overflow:hidden;height:30px;display:flex"><div style="height:30px"></div><p style="margin:0">X</p></div>',
    '<div style="overflow:hidden;height:30px"><div style="height:30px;margin-bottom:-30px"></div>X</div>', '<div style="overflow:hidden;height:30px"><span style="height:30px"></span>X</div>',
    '<div style="overflow:hidden;height:30px"><div style="height:30px"></div><p style="margin:-28px 0 0">X</p></div>', '<div style="overflow:hidden;height:30px"><div style="height:20px"></div></div>X',
    '<div style="overflow:hidden;height:30px"><table><tr><td><div style="height:30px"></div></td><td style="vertical-align:top">X</td></tr></table></div>',
    '<div style="overflow:hidden;height:35px"><div style="margin-top:10px"><div style="margin-top:10px"><div style="margin-top:10px"><div style="margin-top:10px">X</div></div></div></div></div>',
  ]),
]

export const hiddenKinds: ShownForm[] = [...pushed, ...lengths, ...boxes, ...colors, ...elements, ...selectors, ...variables]
