/** Three slips on a sheet of A4; on a small screen one column. Lengths are those of paper. */
export const BOOKLET_STYLE = `
*{box-sizing:border-box;margin:0}
body{background:var(--ground);color:var(--ground-ink);font:11pt/1.4 Arial,Helvetica,'Liberation Sans',sans-serif;-webkit-text-size-adjust:100%}
header{background:var(--header);color:var(--header-ink);border-bottom:4px solid var(--band);padding:18px 16px}
header>div,main{max-width:200mm;margin:0 auto}
header p{overflow-wrap:anywhere}
h1{font-size:20pt;line-height:1.2}
.sums{display:flex;flex-wrap:wrap;gap:4px 28px;margin-top:10px}
.sums dt,.sums dd{display:inline}
.sums dd{font-weight:700}
main{padding:14px 0 30px}
main>p{padding:0 16px 12px}
.sandbox{font-weight:700}
.slip{display:grid;grid-template-columns:44mm minmax(0,1fr);height:94mm;padding:2mm 0 3mm;overflow:hidden;background:#fff;color:#000;font-size:8.5pt;line-height:1.15;border-bottom:1px dashed #555;position:relative}
.slip::after{content:'Corte aqui';position:absolute;right:2mm;bottom:.4mm;font-size:5.5pt;color:#444}
.stub{border-right:1px dashed #555;padding:0 2mm;display:flex;flex-direction:column;min-width:0}
.stub h2{background:var(--band);color:var(--band-ink);font-size:11pt;line-height:1.2;padding:1.2mm 1.5mm;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.stub .kind{font-size:5.8pt;padding:.8mm 0;display:flex;justify-content:space-between;gap:0 1mm;flex-wrap:wrap;white-space:nowrap}
.stub .standing{font-weight:700}
.form{position:relative;padding:0 2mm 0 3mm;min-width:0;display:flex;flex-direction:column}
.head{display:flex;align-items:flex-end;gap:1.6mm;height:8mm;overflow:hidden;border-bottom:1.2pt solid var(--mark);padding-bottom:.8mm}
.head .bank{font-weight:700;font-size:8pt;white-space:nowrap}
.head .code{font-weight:700;font-size:11pt;line-height:1.1;border:solid #000;border-width:0 1pt;padding:0 1.4mm;white-space:nowrap}
.head .line{flex:1;text-align:right;font-weight:700;font-size:8.3pt;line-height:1.5;white-space:nowrap;user-select:all;-webkit-user-select:all}
.head .issuer{flex:1;font-weight:700;font-size:10pt;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.cells{display:grid;grid-template-columns:repeat(36,minmax(0,1fr));border:solid #000;border-width:0 0 0 .6pt}
.stub .cells{border-top-width:.6pt;flex:1;grid-template-rows:repeat(7,1fr) 1.6fr 1.4fr}
.cells div{border:solid #000;border-width:0 .6pt .6pt 0;padding:.5mm .8mm .4mm;min-height:6.8mm;overflow:hidden;grid-column:span 36}
.cells dt{font-size:5.6pt;line-height:1.1}
.cells dd{overflow-wrap:anywhere;white-space:pre-line;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;overflow:hidden}
.cells .two dd{-webkit-line-clamp:2}
.stub .two dd{-webkit-line-clamp:3;font-size:7pt}
.cells .party dd{-webkit-line-clamp:5}
.z80 dd{font-size:8pt}.z75 dd{font-size:7.5pt}.z70 dd{font-size:7pt}.z65 dd{font-size:6.5pt}.z60 dd{font-size:6pt}.z55 dd{font-size:5.5pt}
.cells .money dd{text-align:right}
.cells .strong dd{font-weight:700}
.form .w27{grid-column:span 27}.form .w9{grid-column:span 9}.form .w8{grid-column:span 8}.form .w6{grid-column:span 6}.form .w5{grid-column:span 5}.form .w4{grid-column:span 4}.form .w3{grid-column:span 3}.form .w7{grid-column:span 7}
.form .tall{min-height:9mm}
.form .says{grid-row:span 3;grid-column:span 27}
.form .says dd{-webkit-line-clamp:6;font-size:7.5pt;line-height:1.2}
.bars{display:flex;gap:3mm;padding-top:2mm}
.bars svg{width:103mm;height:13mm;margin-left:2mm;flex:none;display:block}
.bars p{font-size:5.6pt;line-height:1.2;text-align:right;flex:1}
.absent{padding:3mm 2mm 0;font-size:9pt;line-height:1.35}
.absent a{color:#000;overflow-wrap:anywhere}
.across{position:absolute;left:0;top:8mm;width:100%;height:64mm;z-index:0}
.across text{font:700 35px Arial,Helvetica,'Liberation Sans',sans-serif;fill:#e2e2e2;text-anchor:middle}
.form>*{position:relative}
.form>.across{position:absolute}
@media screen{
.slip{margin-bottom:5mm;box-shadow:0 1px 4px rgba(0,0,0,.25)}
}
@media screen and (max-width:799px){
.slip{display:block;height:auto;margin:0 10px 18px;padding:0 0 12px;border:0;border-radius:6px;overflow:hidden;font-size:11pt}
.slip::after{content:none}
.stub{border:0;padding:0}
.stub h2{font-size:14pt;padding:10px 14px}
.stub .kind{font-size:10pt;padding:8px 14px;flex-wrap:wrap}
.stub .cells{display:none}
.form{padding:0 14px}
.head{height:auto;flex-wrap:wrap;padding-bottom:8px}
.head .line{flex:1 0 100%;text-align:left;white-space:normal;font-size:12pt;line-height:1.5;order:3}
.head .issuer{white-space:normal}
.cells dt{font-size:9pt}
.cells dd,.cells .two dd,.cells .party dd,.form .says dd{display:block;font-size:11pt;line-height:1.35}
.cells .money dd{text-align:left}
.form .cells div{grid-column:span 18;min-height:0;padding:6px 8px}
.form .cells .wide{grid-column:span 36;grid-row:auto}
.form .cells .strong{order:-1}
.form .cells .paper{display:none}
.bars{display:block;padding-top:12px}
.bars svg{width:100%;max-width:103mm;margin:0}
.bars p{text-align:left;font-size:9pt;padding-top:4px}
.absent{font-size:11pt;padding:12px 2px 0}
}
@media print{
@page{size:A4;margin:6mm 5mm}
body{background:#fff;color:#000}
header,main>p{display:none}
main{padding:0;max-width:none}
.slip{break-inside:avoid}
.slip:nth-of-type(3n){break-after:page;border-bottom:0}
.slip:last-of-type{break-after:auto}
}
`
