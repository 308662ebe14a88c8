-- Refuses jobs whose comment begins like a bid and is none, with the reason, when they are submitted.
--
-- Beside slurm.conf, with JobSubmitPlugins=lua. Which comments are bids, and what they may say, is
-- that of utilitysched/slurm/comments.py. JSON is left to the watch: Lua has no reader of it.

local MOST, HIGHEST, LONGEST = 1024, 1e9, 366 * 86400
local SECONDS = { s = 1, min = 60, h = 3600, d = 86400, w = 604800 }
local SPELT = {
   sec = "s", second = "s", seconds = "s", mins = "min", minute = "min", minutes = "min",
   hr = "h", hrs = "h", hour = "h", hours = "h", day = "d", days = "d", week = "w", weeks = "w",
}
local KEYS = { deadline = true, value = true, checkpoint = true }

local function trimmed(text)
   return text:match("^%s*(.-)%s*$")
end

local function number(text)
   return text:match("^[%d.]+$") and tonumber(text)
end

local function seconds(text)
   local count, unit = text:match("^([%d.]+)%s?(%l*)$")
   local size = count and SECONDS[SPELT[unit] or (unit == "" and "s") or unit]
   local value = count and number(count)
   return size and value and value * size
end

local function is_clock(text)
   local hour, minute = text:match("^(%d%d?):(%d%d)$")
   return hour and tonumber(hour) < 24 and tonumber(minute) < 60
end

local function lasting(text)
   local value = seconds(text)
   return value and value > 0 and value <= LONGEST
end

local function wrong_keys(text)
   local given = {}
   for part in (text .. ","):gmatch("([^,]*),") do
      local key, value = part:match("^([^=]*)=(.*)$")
      key, value = trimmed(key or ""), trimmed(value or "")
      if not KEYS[key] or value == "" or given[key] then
         return "each of deadline=, value= and checkpoint= stands once at most"
      end
      given[key] = value
   end
   if (given.deadline == nil) ~= (given.value == nil) then
      return "deadline and value stand together"
   end
   if given.checkpoint and not lasting(given.checkpoint) then
      return "checkpoint is a time, as in 10min"
   end
   if given.deadline and not (is_clock(given.deadline) or lasting(given.deadline)) then
      return "deadline is 18:00 or a time from submission, as in 4h"
   end
   local worth = given.value and number(given.value)
   if given.value and not (worth and worth <= HIGHEST) then
      return "value is a number of SU, at most 1e9"
   end
end

local function wrong_points(text)
   local time, worth, count = nil, HIGHEST, 0
   for part in (text .. ","):gmatch("([^,]*),") do
      local left, right = part:match("^([^:]*):([^:]*)$")
      local at, value = seconds(trimmed(left or "")), number(trimmed(right or ""))
      if not (at and value) then
         return "a point is TIME:SU, as in 0:40,1h:40,2h:0"
      end
      if (count == 0 and at ~= 0) or (time and at <= time) or at > LONGEST or value > worth then
         return "points begin at time 0, times rise, values never do, at most 1e9 SU and a year"
      end
      time, worth, count = at, value, count + 1
   end
   return count < 2 and "a curve has two points or more" or nil
end

function wrong_with(comment)
   local text = comment or ""
   local key = text:match("^%s*(%l+)%s*=")
   local keyed, pointed = key and KEYS[key], text:match("^%s*%d[%d.]*%s?%l*:")
   if not (keyed or pointed) then
      return nil
   elseif #text > MOST then
      return "longer than 1024 letters"
   end
   return keyed and wrong_keys(text) or (pointed and wrong_points(text)) or nil
end

local function checked(comment)
   local problem = wrong_with(comment)
   if problem then
      slurm.log_user("comment: %s", problem)
      return slurm.ERROR
   end
   return slurm.SUCCESS
end

function slurm_job_submit(job, partitions, user)
   return checked(job.comment)
end

function slurm_job_modify(job, record, partitions, user)
   return checked(job.comment)
end

return slurm.SUCCESS
