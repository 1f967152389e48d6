// This file is made of prom-client 15.1.3 by `npm run generate`: see build/libraries.ts
/*
Apache License
                           Version 2.0, January 2004
                        http://www.apache.org/licenses/

   TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION

   1. Definitions.

      "License" shall mean the terms and conditions for use, reproduction,
      and distribution as defined by Sections 1 through 9 of this document.

      "Licensor" shall mean the copyright owner or entity authorized by
      the copyright owner that is granting the License.

      "Legal Entity" shall mean the union of the acting entity and all
      other entities that control, are controlled by, or are under common
      control with that entity. For the purposes of this definition,
      "control" means (i) the power, direct or indirect, to cause the
      direction or management of such entity, whether by contract or
      otherwise, or (ii) ownership of fifty percent (50%) or more of the
      outstanding shares, or (iii) beneficial ownership of such entity.

      "You" (or "Your") shall mean an individual or Legal Entity
      exercising permissions granted by this License.

      "Source" form shall mean the preferred form for making modifications,
      including but not limited to software source code, documentation
      source, and configuration files.

      "Object" form shall mean any form resulting from mechanical
      transformation or translation of a Source form, including but
      not limited to compiled object code, generated documentation,
      and conversions to other media types.

      "Work" shall mean the work of authorship, whether in Source or
      Object form, made available under the License, as indicated by a
      copyright notice that is included in or attached to the work
      (an example is provided in the Appendix below).

      "Derivative Works" shall mean any work, whether in Source or Object
      form, that is based on (or derived from) the Work and for which the
      editorial revisions, annotations, elaborations, or other modifications
      represent, as a whole, an original work of authorship. For the purposes
      of this License, Derivative Works shall not include works that remain
      separable from, or merely link (or bind by name) to the interfaces of,
      the Work and Derivative Works thereof.

      "Contribution" shall mean any work of authorship, including
      the original version of the Work and any modifications or additions
      to that Work or Derivative Works thereof, that is intentionally
      submitted to Licensor for inclusion in the Work by the copyright owner
      or by an individual or Legal Entity authorized to submit on behalf of
      the copyright owner. For the purposes of this definition, "submitted"
      means any form of electronic, verbal, or written communication sent
      to the Licensor or its representatives, including but not limited to
      communication on electronic mailing lists, source code control systems,
      and issue tracking systems that are managed by, or on behalf of, the
      Licensor for the purpose of discussing and improving the Work, but
      excluding communication that is conspicuously marked or otherwise
      designated in writing by the copyright owner as "Not a Contribution."

      "Contributor" shall mean Licensor and any individual or Legal Entity
      on behalf of whom a Contribution has been received by Licensor and
      subsequently incorporated within the Work.

   2. Grant of Copyright License. Subject to the terms and conditions of
      this License, each Contributor hereby grants to You a perpetual,
      worldwide, non-exclusive, no-charge, royalty-free, irrevocable
      copyright license to reproduce, prepare Derivative Works of,
      publicly display, publicly perform, sublicense, and distribute the
      Work and such Derivative Works in Source or Object form.

   3. Grant of Patent License. Subject to the terms and conditions of
      this License, each Contributor hereby grants to You a perpetual,
      worldwide, non-exclusive, no-charge, royalty-free, irrevocable
      (except as stated in this section) patent license to make, have made,
      use, offer to sell, sell, import, and otherwise transfer the Work,
      where such license applies only to those patent claims licensable
      by such Contributor that are necessarily infringed by their
      Contribution(s) alone or by combination of their Contribution(s)
      with the Work to which such Contribution(s) was submitted. If You
      institute patent litigation against any entity (including a
      cross-claim or counterclaim in a lawsuit) alleging that the Work
      or a Contribution incorporated within the Work constitutes direct
      or contributory patent infringement, then any patent licenses
      granted to You under this License for that Work shall terminate
      as of the date such litigation is filed.

   4. Redistribution. You may reproduce and distribute copies of the
      Work or Derivative Works thereof in any medium, with or without
      modifications, and in Source or Object form, provided that You
      meet the following conditions:

      (a) You must give any other recipients of the Work or
          Derivative Works a copy of this License; and

      (b) You must cause any modified files to carry prominent notices
          stating that You changed the files; and

      (c) You must retain, in the Source form of any Derivative Works
          that You distribute, all copyright, patent, trademark, and
          attribution notices from the Source form of the Work,
          excluding those notices that do not pertain to any part of
          the Derivative Works; and

      (d) If the Work includes a "NOTICE" text file as part of its
          distribution, then any Derivative Works that You distribute must
          include a readable copy of the attribution notices contained
          within such NOTICE file, excluding those notices that do not
          pertain to any part of the Derivative Works, in at least one
          of the following places: within a NOTICE text file distributed
          as part of the Derivative Works; within the Source form or
          documentation, if provided along with the Derivative Works; or,
          within a display generated by the Derivative Works, if and
          wherever such third-party notices normally appear. The contents
          of the NOTICE file are for informational purposes only and
          do not modify the License. You may add Your own attribution
          notices within Derivative Works that You distribute, alongside
          or as an addendum to the NOTICE text from the Work, provided
          that such additional attribution notices cannot be construed
          as modifying the License.

      You may add Your own copyright statement to Your modifications and
      may provide additional or different license terms and conditions
      for use, reproduction, or distribution of Your modifications, or
      for any such Derivative Works as a whole, provided Your use,
      reproduction, and distribution of the Work otherwise complies with
      the conditions stated in this License.

   5. Submission of Contributions. Unless You explicitly state otherwise,
      any Contribution intentionally submitted for inclusion in the Work
      by You to the Licensor shall be under the terms and conditions of
      this License, without any additional terms or conditions.
      Notwithstanding the above, nothing herein shall supersede or modify
      the terms of any separate license agreement you may have executed
      with Licensor regarding such Contributions.

   6. Trademarks. This License does not grant permission to use the trade
      names, trademarks, service marks, or product names of the Licensor,
      except as required for reasonable and customary use in describing the
      origin of the Work and reproducing the content of the NOTICE file.

   7. Disclaimer of Warranty. Unless required by applicable law or
      agreed to in writing, Licensor provides the Work (and each
      Contributor provides its Contributions) on an "AS IS" BASIS,
      WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or
      implied, including, without limitation, any warranties or conditions
      of TITLE, NON-INFRINGEMENT, MERCHANTABILITY, or FITNESS FOR A
      PARTICULAR PURPOSE. You are solely responsible for determining the
      appropriateness of using or redistributing the Work and assume any
      risks associated with Your exercise of permissions under this License.

   8. Limitation of Liability. In no event and under no legal theory,
      whether in tort (including negligence), contract, or otherwise,
      unless required by applicable law (such as deliberate and grossly
      negligent acts) or agreed to in writing, shall any Contributor be
      liable to You for damages, including any direct, indirect, special,
      incidental, or consequential damages of any character arising as a
      result of this License or out of the use or inability to use the
      Work (including but not limited to damages for loss of goodwill,
      work stoppage, computer failure or malfunction, or any and all
      other commercial damages or losses), even if such Contributor
      has been advised of the possibility of such damages.

   9. Accepting Warranty or Additional Liability. While redistributing
      the Work or Derivative Works thereof, You may choose to offer,
      and charge a fee for, acceptance of support, warranty, indemnity,
      or other liability obligations and/or rights consistent with this
      License. However, in accepting such obligations, You may act only
      on Your own behalf and on Your sole responsibility, not on behalf
      of any other Contributor, and only if You agree to indemnify,
      defend, and hold each Contributor harmless for any liability
      incurred by, or claims asserted against, such Contributor by reason
      of your accepting any such warranty or additional liability.

   END OF TERMS AND CONDITIONS

   APPENDIX: How to apply the Apache License to your work.

      To apply the Apache License to your work, attach the following
      boilerplate notice, with the fields enclosed by brackets "{}"
      replaced with your own identifying information. (Don't include
      the brackets!)  The text should be enclosed in the appropriate
      comment syntax for the file format. We also recommend that a
      file or class name and description of purpose be included on the
      same "printed page" as the copyright notice for easier
      identification within third-party archives.

   Copyright 2015 Simon Nyberg

   Licensed under the Apache License, Version 2.0 (the "License");
   you may not use this file except in compliance with the License.
   You may obtain a copy of the License at

       http://www.apache.org/licenses/LICENSE-2.0

   Unless required by applicable law or agreed to in writing, software
   distributed under the License is distributed on an "AS IS" BASIS,
   WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
   See the License for the specific language governing permissions and
   limitations under the License.
*/
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
var __create=Object.create;var __defProp=Object.defineProperty;var __getOwnPropDesc=Object.getOwnPropertyDescriptor;var __getOwnPropNames=Object.getOwnPropertyNames;var __getProtoOf=Object.getPrototypeOf;var __hasOwnProp=Object.prototype.hasOwnProperty;var __require=(x=>typeof require!=="undefined"?require:typeof Proxy!=="undefined"?new Proxy(x,{get:(a,b)=>(typeof require!=="undefined"?require:a)[b]}):x)(function(x){if(typeof require!=="undefined")return require.apply(this,arguments);throw Error('Dynamic require of "'+x+'" is not supported')});var __commonJS=(cb,mod)=>function __require2(){try{return mod||(0,cb[__getOwnPropNames(cb)[0]])((mod={exports:{}}).exports,mod),mod.exports}catch(e){throw mod=0,e}};var __copyProps=(to,from,except,desc)=>{if(from&&typeof from==="object"||typeof from==="function"){for(let key of __getOwnPropNames(from))if(!__hasOwnProp.call(to,key)&&key!==except)__defProp(to,key,{get:()=>from[key],enumerable:!(desc=__getOwnPropDesc(from,key))||desc.enumerable})}return to};var __toESM=(mod,isNodeMode,target)=>(target=mod!=null?__create(__getProtoOf(mod)):{},__copyProps(isNodeMode||!mod||!mod.__esModule?__defProp(target,"default",{value:mod,enumerable:true}):target,mod));var require_util=__commonJS({"node_modules/prom-client/lib/util.js"(exports){"use strict";exports.getValueAsString=function getValueString(value){if(Number.isNaN(value)){return"Nan"}else if(!Number.isFinite(value)){if(value<0){return"-Inf"}else{return"+Inf"}}else{return`${value}`}};exports.removeLabels=function removeLabels(hashMap,labels,sortedLabelNames){const hash=hashObject(labels,sortedLabelNames);delete hashMap[hash]};exports.setValue=function setValue(hashMap,value,labels){const hash=hashObject(labels);hashMap[hash]={value:typeof value==="number"?value:0,labels:labels||{}};return hashMap};exports.setValueDelta=function setValueDelta(hashMap,deltaValue,labels,hash=""){const value=typeof deltaValue==="number"?deltaValue:0;if(hashMap[hash]){hashMap[hash].value+=value}else{hashMap[hash]={value,labels}}return hashMap};exports.getLabels=function(labelNames,args){if(typeof args[0]==="object"){return args[0]}if(labelNames.length!==args.length){throw new Error(`Invalid number of arguments (${args.length}): "${args.join(", ")}" for label names (${labelNames.length}): "${labelNames.join(", ")}".`)}const acc={};for(let i=0;i<labelNames.length;i++){acc[labelNames[i]]=args[i]}return acc};function fastHashObject(keys,labels){if(keys.length===0){return""}let hash="";for(let i=0;i<keys.length;i++){const key=keys[i];const value=labels[key];if(value===void 0)continue;hash+=`${key}:${value},`}return hash}function hashObject(labels,labelNames){if(labelNames){return fastHashObject(labelNames,labels)}const keys=Object.keys(labels);if(keys.length>1){keys.sort()}return fastHashObject(keys,labels)}exports.hashObject=hashObject;exports.isObject=function isObject(obj){return obj!==null&&typeof obj==="object"};exports.nowTimestamp=function nowTimestamp(){return Date.now()/1e3};var Grouper=class extends Map{add(key,value){if(this.has(key)){this.get(key).push(value)}else{this.set(key,[value])}}};exports.Grouper=Grouper}});var require_validation=__commonJS({"node_modules/prom-client/lib/validation.js"(exports){"use strict";var util=__require("util");var metricRegexp=/^[a-zA-Z_:][a-zA-Z0-9_:]*$/;var labelRegexp=/^[a-zA-Z_][a-zA-Z0-9_]*$/;exports.validateMetricName=function(name){return metricRegexp.test(name)};exports.validateLabelName=function(names=[]){return names.every(name=>labelRegexp.test(name))};exports.validateLabel=function validateLabel(savedLabels,labels){for(const label in labels){if(!savedLabels.includes(label)){throw new Error(`Added label "${label}" is not included in initial labelset: ${util.inspect(savedLabels)}`)}}}}});var require_registry=__commonJS({"node_modules/prom-client/lib/registry.js"(exports,module){"use strict";var{getValueAsString}=require_util();var Registry=class _Registry{static get PROMETHEUS_CONTENT_TYPE(){return"text/plain; version=0.0.4; charset=utf-8"}static get OPENMETRICS_CONTENT_TYPE(){return"application/openmetrics-text; version=1.0.0; charset=utf-8"}constructor(regContentType=_Registry.PROMETHEUS_CONTENT_TYPE){this._metrics={};this._collectors=[];this._defaultLabels={};if(regContentType!==_Registry.PROMETHEUS_CONTENT_TYPE&&regContentType!==_Registry.OPENMETRICS_CONTENT_TYPE){throw new TypeError(`Content type ${regContentType} is unsupported`)}this._contentType=regContentType}getMetricsAsArray(){return Object.values(this._metrics)}async getMetricsAsString(metrics){const metric=typeof metrics.getForPromString==="function"?await metrics.getForPromString():await metrics.get();const name=escapeString(metric.name);const help=`# HELP ${name} ${escapeString(metric.help)}`;const type=`# TYPE ${name} ${metric.type}`;const values=[help,type];const defaultLabels=Object.keys(this._defaultLabels).length>0?this._defaultLabels:null;const isOpenMetrics=this.contentType===_Registry.OPENMETRICS_CONTENT_TYPE;for(const val of metric.values||[]){let{metricName=name,labels={}}=val;const{sharedLabels={}}=val;if(isOpenMetrics&&metric.type==="counter"){metricName=`${metricName}_total`}if(defaultLabels){labels={...labels,...defaultLabels,...labels}}const formattedLabels=formatLabels(labels,sharedLabels);const flattenedShared=flattenSharedLabels(sharedLabels);const labelParts=[...formattedLabels,flattenedShared].filter(Boolean);const labelsString=labelParts.length?`{${labelParts.join(",")}}`:"";let fullMetricLine=`${metricName}${labelsString} ${getValueAsString(val.value)}`;const{exemplar}=val;if(exemplar&&isOpenMetrics){const formattedExemplars=formatLabels(exemplar.labelSet);fullMetricLine+=` # {${formattedExemplars.join(",")}} ${getValueAsString(exemplar.value)} ${exemplar.timestamp}`}values.push(fullMetricLine)}return values.join("\n")}async metrics(){const isOpenMetrics=this.contentType===_Registry.OPENMETRICS_CONTENT_TYPE;const promises=this.getMetricsAsArray().map(metric=>{if(isOpenMetrics&&metric.type==="counter"){metric.name=standardizeCounterName(metric.name)}return this.getMetricsAsString(metric)});const resolves=await Promise.all(promises);return isOpenMetrics?`${resolves.join("\n")}
# EOF
`:`${resolves.join("\n\n")}
`}registerMetric(metric){if(this._metrics[metric.name]&&this._metrics[metric.name]!==metric){throw new Error(`A metric with the name ${metric.name} has already been registered.`)}this._metrics[metric.name]=metric}clear(){this._metrics={};this._defaultLabels={}}async getMetricsAsJSON(){const metrics=[];const defaultLabelNames=Object.keys(this._defaultLabels);const promises=[];for(const metric of this.getMetricsAsArray()){promises.push(metric.get())}const resolves=await Promise.all(promises);for(const item of resolves){if(item.values&&defaultLabelNames.length>0){for(const val of item.values){val.labels=Object.assign({},val.labels);for(const labelName of defaultLabelNames){val.labels[labelName]=val.labels[labelName]||this._defaultLabels[labelName]}}}metrics.push(item)}return metrics}removeSingleMetric(name){delete this._metrics[name]}getSingleMetricAsString(name){return this.getMetricsAsString(this._metrics[name])}getSingleMetric(name){return this._metrics[name]}setDefaultLabels(labels){this._defaultLabels=labels}resetMetrics(){for(const metric in this._metrics){this._metrics[metric].reset()}}get contentType(){return this._contentType}setContentType(metricsContentType){if(metricsContentType===_Registry.OPENMETRICS_CONTENT_TYPE||metricsContentType===_Registry.PROMETHEUS_CONTENT_TYPE){this._contentType=metricsContentType}else{throw new Error(`Content type ${metricsContentType} is unsupported`)}}static merge(registers){const regType=registers[0].contentType;for(const reg of registers){if(reg.contentType!==regType){throw new Error("Registers can only be merged if they have the same content type")}}const mergedRegistry=new _Registry(regType);const metricsToMerge=registers.reduce((acc,reg)=>acc.concat(reg.getMetricsAsArray()),[]);metricsToMerge.forEach(mergedRegistry.registerMetric,mergedRegistry);return mergedRegistry}};function formatLabels(labels,exclude){const{hasOwnProperty}=Object.prototype;const formatted=[];for(const[name,value]of Object.entries(labels)){if(!exclude||!hasOwnProperty.call(exclude,name)){formatted.push(`${name}="${escapeLabelValue(value)}"`)}}return formatted}var sharedLabelCache=new WeakMap;function flattenSharedLabels(labels){const cached=sharedLabelCache.get(labels);if(cached){return cached}const formattedLabels=formatLabels(labels);const flattened=formattedLabels.join(",");sharedLabelCache.set(labels,flattened);return flattened}function escapeLabelValue(str){if(typeof str!=="string"){return str}return escapeString(str).replace(/"/g,'\\"')}function escapeString(str){return str.replace(/\\/g,"\\\\").replace(/\n/g,"\\n")}function standardizeCounterName(name){return name.replace(/_total$/,"")}module.exports=Registry;module.exports.globalRegistry=new Registry}});var require_metric=__commonJS({"node_modules/prom-client/lib/metric.js"(exports,module){"use strict";var Registry=require_registry();var{isObject}=require_util();var{validateMetricName,validateLabelName}=require_validation();var Metric=class{constructor(config,defaults={}){if(!isObject(config)){throw new TypeError("constructor expected a config object")}Object.assign(this,{labelNames:[],registers:[Registry.globalRegistry],aggregator:"sum",enableExemplars:false},defaults,config);if(!this.registers){this.registers=[Registry.globalRegistry]}if(!this.help){throw new Error("Missing mandatory help parameter")}if(!this.name){throw new Error("Missing mandatory name parameter")}if(!validateMetricName(this.name)){throw new Error("Invalid metric name")}if(!validateLabelName(this.labelNames)){throw new Error("Invalid label name")}if(this.collect&&typeof this.collect!=="function"){throw new Error('Optional "collect" parameter must be a function')}if(this.labelNames){this.sortedLabelNames=[...this.labelNames].sort()}else{this.sortedLabelNames=[]}this.reset();for(const register of this.registers){if(this.enableExemplars&&register.contentType===Registry.PROMETHEUS_CONTENT_TYPE){throw new TypeError("Exemplars are supported only on OpenMetrics registries")}register.registerMetric(this)}}reset(){}};module.exports={Metric}}});var require_exemplar=__commonJS({"node_modules/prom-client/lib/exemplar.js"(exports,module){"use strict";var Exemplar=class{constructor(labelSet={},value=null){this.labelSet=labelSet;this.value=value}validateExemplarLabelSet(labelSet){let res="";for(const[labelName,labelValue]of Object.entries(labelSet)){res+=`${labelName}${labelValue}`}if(res.length>128){throw new RangeError("Label set size must be smaller than 128 UTF-8 chars")}}};module.exports=Exemplar}});var require_counter=__commonJS({"node_modules/prom-client/lib/counter.js"(exports,module){"use strict";var util=__require("util");var{hashObject,isObject,getLabels,removeLabels,nowTimestamp}=require_util();var{validateLabel}=require_validation();var{Metric}=require_metric();var Exemplar=require_exemplar();var Counter=class extends Metric{constructor(config){super(config);this.type="counter";this.defaultLabels={};this.defaultValue=1;this.defaultExemplarLabelSet={};if(config.enableExemplars){this.enableExemplars=true;this.inc=this.incWithExemplar}else{this.inc=this.incWithoutExemplar}}incWithoutExemplar(labels,value){let hash="";if(isObject(labels)){hash=hashObject(labels,this.sortedLabelNames);validateLabel(this.labelNames,labels)}else{value=labels;labels={}}if(value&&!Number.isFinite(value)){throw new TypeError(`Value is not a valid number: ${util.format(value)}`)}if(value<0){throw new Error("It is not possible to decrease a counter")}if(value===null||value===void 0)value=1;setValue(this.hashMap,value,labels,hash);return{labelHash:hash}}incWithExemplar({labels=this.defaultLabels,value=this.defaultValue,exemplarLabels=this.defaultExemplarLabelSet}={}){const res=this.incWithoutExemplar(labels,value);this.updateExemplar(exemplarLabels,value,res.labelHash)}updateExemplar(exemplarLabels,value,hash){if(exemplarLabels===this.defaultExemplarLabelSet)return;if(!isObject(this.hashMap[hash].exemplar)){this.hashMap[hash].exemplar=new Exemplar}this.hashMap[hash].exemplar.validateExemplarLabelSet(exemplarLabels);this.hashMap[hash].exemplar.labelSet=exemplarLabels;this.hashMap[hash].exemplar.value=value?value:1;this.hashMap[hash].exemplar.timestamp=nowTimestamp()}reset(){this.hashMap={};if(this.labelNames.length===0){setValue(this.hashMap,0)}}async get(){if(this.collect){const v=this.collect();if(v instanceof Promise)await v}return{help:this.help,name:this.name,type:this.type,values:Object.values(this.hashMap),aggregator:this.aggregator}}labels(...args){const labels=getLabels(this.labelNames,args)||{};return{inc:this.inc.bind(this,labels)}}remove(...args){const labels=getLabels(this.labelNames,args)||{};validateLabel(this.labelNames,labels);return removeLabels.call(this,this.hashMap,labels,this.sortedLabelNames)}};function setValue(hashMap,value,labels={},hash=""){if(hashMap[hash]){hashMap[hash].value+=value}else{hashMap[hash]={value,labels}}return hashMap}module.exports=Counter}});var require_gauge=__commonJS({"node_modules/prom-client/lib/gauge.js"(exports,module){"use strict";var util=__require("util");var{setValue,setValueDelta,getLabels,hashObject,isObject,removeLabels}=require_util();var{validateLabel}=require_validation();var{Metric}=require_metric();var Gauge=class extends Metric{constructor(config){super(config);this.type="gauge"}set(labels,value){value=getValueArg(labels,value);labels=getLabelArg(labels);set(this,labels,value)}reset(){this.hashMap={};if(this.labelNames.length===0){setValue(this.hashMap,0,{})}}inc(labels,value){value=getValueArg(labels,value);labels=getLabelArg(labels);if(value===void 0)value=1;setDelta(this,labels,value)}dec(labels,value){value=getValueArg(labels,value);labels=getLabelArg(labels);if(value===void 0)value=1;setDelta(this,labels,-value)}setToCurrentTime(labels){const now=Date.now()/1e3;if(labels===void 0){this.set(now)}else{this.set(labels,now)}}startTimer(labels){const start=process.hrtime();return endLabels=>{const delta=process.hrtime(start);const value=delta[0]+delta[1]/1e9;this.set(Object.assign({},labels,endLabels),value);return value}}async get(){if(this.collect){const v=this.collect();if(v instanceof Promise)await v}return{help:this.help,name:this.name,type:this.type,values:Object.values(this.hashMap),aggregator:this.aggregator}}_getValue(labels){const hash=hashObject(labels||{},this.sortedLabelNames);return this.hashMap[hash]?this.hashMap[hash].value:0}labels(...args){const labels=getLabels(this.labelNames,args);validateLabel(this.labelNames,labels);return{inc:this.inc.bind(this,labels),dec:this.dec.bind(this,labels),set:this.set.bind(this,labels),setToCurrentTime:this.setToCurrentTime.bind(this,labels),startTimer:this.startTimer.bind(this,labels)}}remove(...args){const labels=getLabels(this.labelNames,args);validateLabel(this.labelNames,labels);removeLabels.call(this,this.hashMap,labels,this.sortedLabelNames)}};function set(gauge,labels,value){if(typeof value!=="number"){throw new TypeError(`Value is not a valid number: ${util.format(value)}`)}validateLabel(gauge.labelNames,labels);setValue(gauge.hashMap,value,labels)}function setDelta(gauge,labels,delta){if(typeof delta!=="number"){throw new TypeError(`Delta is not a valid number: ${util.format(delta)}`)}validateLabel(gauge.labelNames,labels);const hash=hashObject(labels,gauge.sortedLabelNames);setValueDelta(gauge.hashMap,delta,labels,hash)}function getLabelArg(labels){return isObject(labels)?labels:{}}function getValueArg(labels,value){return isObject(labels)?value:labels}module.exports=Gauge}});var require_histogram=__commonJS({"node_modules/prom-client/lib/histogram.js"(exports,module){"use strict";var util=__require("util");var{getLabels,hashObject,isObject,removeLabels,nowTimestamp}=require_util();var{validateLabel}=require_validation();var{Metric}=require_metric();var Exemplar=require_exemplar();var Histogram=class extends Metric{constructor(config){super(config,{buckets:[.005,.01,.025,.05,.1,.25,.5,1,2.5,5,10]});this.type="histogram";this.defaultLabels={};this.defaultExemplarLabelSet={};this.enableExemplars=false;for(const label of this.labelNames){if(label==="le"){throw new Error("le is a reserved label keyword")}}this.upperBounds=this.buckets;this.bucketValues=this.upperBounds.reduce((acc,upperBound)=>{acc[upperBound]=0;return acc},{});if(config.enableExemplars){this.enableExemplars=true;this.bucketExemplars=this.upperBounds.reduce((acc,upperBound)=>{acc[upperBound]=null;return acc},{});Object.freeze(this.bucketExemplars);this.observe=this.observeWithExemplar}else{this.observe=this.observeWithoutExemplar}Object.freeze(this.bucketValues);Object.freeze(this.upperBounds);if(this.labelNames.length===0){this.hashMap={[hashObject({})]:createBaseValues({},this.bucketValues,this.bucketExemplars)}}}observeWithoutExemplar(labels,value){observe.call(this,labels===0?0:labels||{})(value)}observeWithExemplar({labels=this.defaultLabels,value,exemplarLabels=this.defaultExemplarLabelSet}={}){observe.call(this,labels===0?0:labels||{})(value);this.updateExemplar(labels,value,exemplarLabels)}updateExemplar(labels,value,exemplarLabels){if(Object.keys(exemplarLabels).length===0)return;const hash=hashObject(labels,this.sortedLabelNames);const bound=findBound(this.upperBounds,value);const{bucketExemplars}=this.hashMap[hash];let exemplar=bucketExemplars[bound];if(!isObject(exemplar)){exemplar=new Exemplar;bucketExemplars[bound]=exemplar}exemplar.validateExemplarLabelSet(exemplarLabels);exemplar.labelSet=exemplarLabels;exemplar.value=value;exemplar.timestamp=nowTimestamp()}async get(){const data=await this.getForPromString();data.values=data.values.map(splayLabels);return data}async getForPromString(){if(this.collect){const v=this.collect();if(v instanceof Promise)await v}const data=Object.values(this.hashMap);const values=data.map(extractBucketValuesForExport(this)).reduce(addSumAndCountForExport(this),[]);return{name:this.name,help:this.help,type:this.type,values,aggregator:this.aggregator}}reset(){this.hashMap={}}zero(labels){const hash=hashObject(labels,this.sortedLabelNames);this.hashMap[hash]=createBaseValues(labels,this.bucketValues,this.bucketExemplars)}startTimer(labels,exemplarLabels){return this.enableExemplars?startTimerWithExemplar.call(this,labels,exemplarLabels)():startTimer.call(this,labels)()}labels(...args){const labels=getLabels(this.labelNames,args);validateLabel(this.labelNames,labels);return{observe:observe.call(this,labels),startTimer:startTimer.call(this,labels)}}remove(...args){const labels=getLabels(this.labelNames,args);validateLabel(this.labelNames,labels);removeLabels.call(this,this.hashMap,labels,this.sortedLabelNames)}};function startTimer(startLabels){return()=>{const start=process.hrtime();return endLabels=>{const delta=process.hrtime(start);const value=delta[0]+delta[1]/1e9;this.observe(Object.assign({},startLabels,endLabels),value);return value}}}function startTimerWithExemplar(startLabels,startExemplarLabels){return()=>{const start=process.hrtime();return(endLabels,endExemplarLabels)=>{const delta=process.hrtime(start);const value=delta[0]+delta[1]/1e9;this.observe({labels:Object.assign({},startLabels,endLabels),value,exemplarLabels:Object.assign({},startExemplarLabels,endExemplarLabels)});return value}}}function setValuePair(labels,value,metricName,exemplar,sharedLabels={}){return{labels,sharedLabels,value,metricName,exemplar}}function findBound(upperBounds,value){for(let i=0;i<upperBounds.length;i++){const bound=upperBounds[i];if(value<=bound){return bound}}return-1}function observe(labels){return value=>{const labelValuePair=convertLabelsAndValues(labels,value);validateLabel(this.labelNames,labelValuePair.labels);if(!Number.isFinite(labelValuePair.value)){throw new TypeError(`Value is not a valid number: ${util.format(labelValuePair.value)}`)}const hash=hashObject(labelValuePair.labels,this.sortedLabelNames);let valueFromMap=this.hashMap[hash];if(!valueFromMap){valueFromMap=createBaseValues(labelValuePair.labels,this.bucketValues,this.bucketExemplars)}const b=findBound(this.upperBounds,labelValuePair.value);valueFromMap.sum+=labelValuePair.value;valueFromMap.count+=1;if(Object.prototype.hasOwnProperty.call(valueFromMap.bucketValues,b)){valueFromMap.bucketValues[b]+=1}this.hashMap[hash]=valueFromMap}}function createBaseValues(labels,bucketValues,bucketExemplars){const result={labels,bucketValues:{...bucketValues},sum:0,count:0};if(bucketExemplars){result.bucketExemplars={...bucketExemplars}}return result}function convertLabelsAndValues(labels,value){return isObject(labels)?{labels,value}:{value:labels,labels:{}}}function extractBucketValuesForExport(histogram){const name=`${histogram.name}_bucket`;return bucketData=>{let acc=0;const buckets=histogram.upperBounds.map(upperBound=>{acc+=bucketData.bucketValues[upperBound];return setValuePair({le:upperBound},acc,name,bucketData.bucketExemplars?bucketData.bucketExemplars[upperBound]:null,bucketData.labels)});return{buckets,data:bucketData}}}function addSumAndCountForExport(histogram){return(acc,d)=>{acc.push(...d.buckets);const infLabel={le:"+Inf"};acc.push(setValuePair(infLabel,d.data.count,`${histogram.name}_bucket`,d.data.bucketExemplars?d.data.bucketExemplars["-1"]:null,d.data.labels),setValuePair({},d.data.sum,`${histogram.name}_sum`,void 0,d.data.labels),setValuePair({},d.data.count,`${histogram.name}_count`,void 0,d.data.labels));return acc}}function splayLabels(bucket){const{sharedLabels,labels,...newBucket}=bucket;for(const label of Object.keys(sharedLabels)){labels[label]=sharedLabels[label]}newBucket.labels=labels;return newBucket}module.exports=Histogram}});var import_counter=__toESM(require_counter());var import_gauge=__toESM(require_gauge());var import_histogram=__toESM(require_histogram());var import_registry=__toESM(require_registry());var export_Counter=import_counter.default;var export_Gauge=import_gauge.default;var export_Histogram=import_histogram.default;var export_Registry=import_registry.default;export{export_Counter as Counter,export_Gauge as Gauge,export_Histogram as Histogram,export_Registry as Registry};
//# sourceURL=prom-client@15.1.3
